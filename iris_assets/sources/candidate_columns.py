"""The candidates file's columns by name: what we need, under which names the years wrote it, and what else is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from iris_assets.errors import SourceContractError
from iris_assets.sources.received import describe

# Our name → the names that the generations of the file use for it. The first is today's.
ALIASES: Final[dict[str, tuple[str, ...]]] = {
    "ANO_ELEICAO": ("ANO_ELEICAO",),
    "SG_UF": ("SG_UF", "SIGLA_UF"),
    "SG_UE": ("SG_UE", "SIGLA_UE"),
    "NM_UE": ("NM_UE", "NOME_UE", "DESCRICAO_UE"),
    "CD_CARGO": ("CD_CARGO", "CODIGO_CARGO"),
    "DS_CARGO": ("DS_CARGO", "DESCRICAO_CARGO"),
    "SQ_CANDIDATO": ("SQ_CANDIDATO", "SEQUENCIAL_CANDIDATO"),
    "NR_CANDIDATO": ("NR_CANDIDATO", "NUMERO_CANDIDATO"),
    "NM_CANDIDATO": ("NM_CANDIDATO", "NOME_CANDIDATO"),
    "NM_URNA_CANDIDATO": ("NM_URNA_CANDIDATO", "NOME_URNA_CANDIDATO"),
    "NR_PARTIDO": ("NR_PARTIDO", "NUMERO_PARTIDO"),
    "SG_PARTIDO": ("SG_PARTIDO", "SIGLA_PARTIDO"),
    "NR_TURNO": ("NR_TURNO", "NUM_TURNO"),
    "CD_TIPO_ELEICAO": ("CD_TIPO_ELEICAO", "COD_TIPO_ELEICAO"),
    "DS_SITUACAO_CANDIDATURA": ("DS_SITUACAO_CANDIDATURA", "DES_SITUACAO_CANDIDATURA"),
    "DS_SIT_TOT_TURNO": ("DS_SIT_TOT_TURNO", "DESC_SIT_TOT_TURNO"),
    "DT_GERACAO": ("DT_GERACAO",),
}
OPTIONAL: Final = frozenset(
    {"SG_UE", "NM_UE", "DT_GERACAO", "NR_TURNO", "CD_TIPO_ELEICAO", "DS_SITUACAO_CANDIDATURA", "DS_SIT_TOT_TURNO"}
)
REQUIRED: Final = tuple(name for name in ALIASES if name not in OPTIONAL)

# Columns that some generation has and that we do not read. Personal ones (CPF, title, e-mail, birth) are never read.
NOT_READ: Final = frozenset(
    (
        "HH_GERACAO",
        "NM_TIPO_ELEICAO",
        "CD_ELEICAO",
        "DS_ELEICAO",
        "DT_ELEICAO",
        "TP_ABRANGENCIA",
        "NM_SOCIAL_CANDIDATO",
        "NR_CPF_CANDIDATO",
        "NM_EMAIL",
        "DS_EMAIL",
        "CD_SITUACAO_CANDIDATURA",
        "CD_DETALHE_SITUACAO_CAND",
        "DS_DETALHE_SITUACAO_CAND",
        "TP_AGREMIACAO",
        "NM_PARTIDO",
        "NR_FEDERACAO",
        "NM_FEDERACAO",
        "SG_FEDERACAO",
        "DS_COMPOSICAO_FEDERACAO",
        "SQ_COLIGACAO",
        "NM_COLIGACAO",
        "DS_COMPOSICAO_COLIGACAO",
        "CD_NACIONALIDADE",
        "DS_NACIONALIDADE",
        "SG_UF_NASCIMENTO",
        "CD_MUNICIPIO_NASCIMENTO",
        "NM_MUNICIPIO_NASCIMENTO",
        "DT_NASCIMENTO",
        "NR_IDADE_DATA_POSSE",
        "NR_TITULO_ELEITORAL_CANDIDATO",
        "CD_GENERO",
        "DS_GENERO",
        "CD_GRAU_INSTRUCAO",
        "DS_GRAU_INSTRUCAO",
        "CD_ESTADO_CIVIL",
        "DS_ESTADO_CIVIL",
        "CD_COR_RACA",
        "DS_COR_RACA",
        "CD_OCUPACAO",
        "DS_OCUPACAO",
        "NR_DESPESA_MAX_CAMPANHA",
        "VR_DESPESA_MAX_CAMPANHA",
        "CD_SIT_TOT_TURNO",
        "ST_REELEICAO",
        "ST_DECLARAR_BENS",
        "NR_PROTOCOLO_CANDIDATURA",
        "NR_PROCESSO",
        "CD_SITUACAO_CANDIDATO_PLEITO",
        "DS_SITUACAO_CANDIDATO_PLEITO",
        "CD_SITUACAO_CANDIDATO_URNA",
        "DS_SITUACAO_CANDIDATO_URNA",
        "ST_CANDIDATO_INSERIDO_URNA",
        "NM_TIPO_DESTINACAO_VOTOS",
        "CD_SITUACAO_CANDIDATO_TOT",
        "DS_SITUACAO_CANDIDATO_TOT",
        "ST_PREST_CONTAS",
        "ST_SUBSTITUIDO",
        "SQ_SUBSTITUIDO",
        "SQ_ORDEM_SUPLENCIA",
        "DT_ACEITE_CANDIDATURA",
        "ST_QUILOMBOLA",
        "CD_ETNIA_IND",
        "DS_ETNIA_IND",
        "CD_ETNIA_INDIGENA",
        "DS_ETNIA_INDIGENA",
    )
)
GENERATIONS: Final = {50: "2024, 2026 and regenerated years", 58: "2014 to 2018", 63: "regenerated in 2020", 71: "2022"}


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the needed columns stand in one file's header, and what was found beside them."""

    positions: dict[str, int]
    width: int
    unknown: tuple[str, ...]
    absent: tuple[str, ...]

    @property
    def generation(self) -> str:
        return f"{self.width} columns ({GENERATIONS.get(self.width, 'a layout not seen before')})"

    def notes(self) -> list[str]:
        """What a reader of the run should know of this layout; said once per file."""
        notes = [f"layout of the file: {self.generation}"]
        if self.unknown:
            notes.append(f"columns not seen before: {', '.join(self.unknown[:20])}")
        if self.absent:
            notes.append(f"optional columns absent, their fields stay unknown: {', '.join(self.absent)}")
        return notes


def _first_line(header: Sequence[str]) -> str:
    line = ";".join(header).encode("utf-8", "replace")
    return describe(line, len(line))


def layout_of(header: Sequence[str]) -> Layout:
    """The layout of a header line; SourceContractError CSV_HEADER_MISSING or CSV_COLUMN_MISSING otherwise."""
    names = [name.strip().lstrip("\ufeff").upper() for name in header]
    positions: dict[str, int] = {}
    for wanted, spellings in ALIASES.items():
        found = next((names.index(spelling) for spelling in spellings if spelling in names), None)
        if found is not None:
            positions[wanted] = found
    missing = [name for name in REQUIRED if name not in positions]
    if len(missing) == len(REQUIRED):
        raise SourceContractError(
            "CSV_HEADER_MISSING",
            f"the first line of the candidates file is no header: {_first_line(header)} received",
            hint="files without a header are not read",
        )
    if missing:
        raise SourceContractError(
            "CSV_COLUMN_MISSING",
            f"the candidates file lacks the required column{'s' if len(missing) > 1 else ''} {', '.join(missing)}",
            hint="the court changed the layout; add the new name to ALIASES",
        )
    known = NOT_READ.union(*ALIASES.values())
    return Layout(
        positions=positions,
        width=len(names),
        unknown=tuple(ascii(name)[1:-1][:60] for name in names if name not in known),
        absent=tuple(name for name in ALIASES if name not in positions),
    )
