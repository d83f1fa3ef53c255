"""The data contract of each source: who publishes it under which licence where, what it must have, how much is usual."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Final

from iris_assets.sources.candidate_columns import REQUIRED
from iris_assets.ufs import NATIONAL

REGISTRATION_SHOWN_BY: Final = (8, 20)  # candidates register until 15 August of the election year


@dataclass(frozen=True, slots=True)
class RowRange:
    """How many rows a whole file of this source usually has, with room to either side."""

    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class DataContract:
    """What we know of a source apart from its content. `rows` says what is counted."""

    source: str
    publisher: str
    licence: str
    address: str
    required: tuple[str, ...]
    rows: str
    general: RowRange  # elections of 2014, 2018, 2022, 2026: president to state deputies
    municipal: RowRange  # 2016, 2020, 2024: mayors and councils of 5,570 towns

    def usual(self, election_year: int) -> RowRange:
        return self.general if election_year % 4 == 2 else self.municipal

    def doubt(self, rows: int, election_year: int, collected: date) -> str:
        """Why this number of rows is suspicious, empty when it is not.

        Files grow until the registration ends: before that no number is too small.
        """
        usual = self.usual(election_year)
        said = f"{rows} {self.rows}, {usual.fewest} to {usual.most} are usual in {election_year}"
        if rows > usual.most:
            return f"suspiciously many: {said}"
        complete = collected >= date(election_year, *REGISTRATION_SHOWN_BY)
        return f"suspiciously few: {said}" if complete and rows < usual.fewest else ""


NATIONAL_OFFICES: Final = frozenset({"PRESIDENTE", "VICE-PRESIDENTE"})
MUNICIPAL_OFFICES: Final = frozenset({"PREFEITO", "VICE-PREFEITO", "VEREADOR"})


def someone_runs(election_year: int, uf: str, offices: Collection[str]) -> bool:
    """Whether an election of this year has candidates for one of `offices` in `uf` (BR: the whole country).

    Mayors and councillors are elected in years that four divides, everybody else two years apart; the DF has no towns.
    """
    if election_year % 4 == 0:
        return uf not in {"BR", "DF"} and not MUNICIPAL_OFFICES.isdisjoint(offices)
    if uf == "BR":
        return not NATIONAL_OFFICES.isdisjoint(offices)
    return bool(set(offices) - NATIONAL_OFFICES - MUNICIPAL_OFFICES)


COURT: Final = "Tribunal Superior Eleitoral"
CHAMBER: Final = "Câmara dos Deputados"

# Rows of the published files: 26,162 (2014), 29,085 (2018), 29,262 (2022); 496,927 (2016), 557,678 (2020), 463,806 (2024).
CANDIDATES: Final = DataContract(
    source="candidates",
    publisher=COURT,
    licence="CC BY",
    address="https://dadosabertos.tse.jus.br/dataset/",
    required=REQUIRED,
    rows="candidates in the whole country",
    general=RowRange(20_000, 45_000),
    municipal=RowRange(400_000, 750_000),
)
PROPOSALS: Final = DataContract(
    source="proposals",
    publisher=COURT,
    licence="CC BY",
    address="https://dadosabertos.tse.jus.br/dataset/",
    required=("year, unit and SQ_CANDIDATO in the name of each PDF",),
    rows="plans in the archive",
    general=RowRange(2, 120),
    municipal=RowRange(20, 8_000),
)
CAMARA: Final = DataContract(
    source="camara",
    publisher=CHAMBER,
    licence="open data of the Chamber, free use with the source named",
    address="https://dadosabertos.camara.leg.br/",
    required=("id", "uri", "nome", "siglaPartido", "siglaUf", "idLegislatura"),
    rows="deputies",
    general=RowRange(513, 5_000),
    municipal=RowRange(513, 5_000),
)
DATA_CONTRACTS: Final[dict[str, DataContract]] = {
    contract.source: contract for contract in (CANDIDATES, PROPOSALS, CAMARA)
}


def expects_plans(uf: str, election_year: int) -> bool:
    """Mayors have no plans filed under BR, and the Federal District elects none."""
    return election_year % 4 == 2 or uf not in (NATIONAL, "DF")
