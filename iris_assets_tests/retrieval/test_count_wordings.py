"""Every value of office, party, UF and result in several wordings: the number that the rows give, or none."""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import pytest

from iris_assets_tests.retrieval.world import World

OFFICES = {"": "", "DEPUTADO FEDERAL": "a deputado federal", "GOVERNADOR": "a governador", "PRESIDENTE": "a presidente"}
PARTIES = {"": "", "PT": "PT", "PL": "PL", "UNIÃO": "União Brasil", "NOVO": "Novo", "PC DO B": "PCdoB"}
STATES = {"": "", "DF": "no DF", "PI": "no Piauí", "SE": "em Sergipe"}
Row = Mapping[str, Any]
RESULTS: dict[str, tuple[str, Callable[[Row], bool]]] = {
    "": ("", lambda row: True),
    "elected": ("foram eleitos", lambda row: str(row["round_result"]).startswith("ELEITO")),
    "lost": ("não se elegeram", lambda row: row["round_result"] in ("NÃO ELEITO", "SUPLENTE")),
    "substitute": ("ficaram como suplentes", lambda row: row["round_result"] == "SUPLENTE"),
    "average": ("se elegeram por média", lambda row: row["round_result"] == "ELEITO POR MÉDIA"),
    "second": ("foram ao segundo turno", lambda row: row["round"] == 2),
    "unfit": ("ficaram inaptos", lambda row: row["registration_status"] == "INAPTO"),
}
WORDINGS = [
    "Quantos candidatos {office} {of} {state} {result}?",
    "{in_state}quantos candidatos {office} {of} {result}?",
    "me diz aí quantos candidatos {office} {of} {state} {result}",
    "qual o número de candidatos {office} {of} {state} que {result}",
    "queria saber, por favor, quantos candidatos {office} {of} {result} {state}",
    "oi, {state} foram quantos candidatos {office} {of} que {result}, hein?",
    "QUANTAS CANDIDATURAS {office} {of} {result} {state}",
    "contagem de candidatos {office} {of} {state} que {result}",
]
# What no column of the records tells, as a restriction of who is counted.
UNTOLD = [
    "canhotos", "veganos", "gays", "honestos", "corruptos", "famosos",
    "estreantes", "veteranos", "evangélicos", "quilombolas", "ricos", "pobres",
    "aposentados", "casados", "ecologistas", "ciclistas", "analfabetos", "milionários",
    "que|desistiram", "que|morreram", "que|mentiram", "que|mudaram|de|partido", "com|deficiência", "com|mais|de|60|anos",
    "de|esquerda", "contra|o|aborto", "em|Teresina", "na|capital", "sem|redes|sociais", "da|zona|rural",
]  # fmt: skip


def said(wording: str, office: str, party: str, state: str, result: str) -> str:
    text = wording.format(
        office=OFFICES[office], of=f"do {PARTIES[party]}" if party else "", state=STATES[state],
        in_state=f"{STATES[state]}, " if state else "", result=RESULTS[result][0] or "concorreram",
    )  # fmt: skip
    return " ".join(text.split())


@pytest.fixture(scope="module")
def rows(elections: World) -> list[Row]:
    return [row for row in elections.store.candidates.list() if row["election_year"] == 2026]


def counted(rows: list[Row], office: str, party: str, state: str, result: str) -> int:
    """The number by plain comparison of rows."""
    wanted = {"office": office, "party": party, "state": state}
    fits = RESULTS[result][1]
    return sum(fits(row) and all(row[name] == value for name, value in wanted.items() if value) for row in rows)


def test_no_combination_has_a_wrong_number_and_nearly_all_have_one(elections: World, rows: list[Row]) -> None:
    service, given, asked, wrong = elections.service(), 0, 0, []
    for number, slots in enumerate(product(OFFICES, PARTIES, STATES, RESULTS)):
        for wording in (WORDINGS[number % len(WORDINGS)], WORDINGS[(number // 8) % len(WORDINGS)]):
            question = said(wording, *slots)
            found = [row.count for row in service.retrieve(question).counts]
            asked += 1
            given += bool(found)
            if found and found != [counted(rows, *slots)]:
                wrong.append((question, found, counted(rows, *slots)))
    assert wrong == []
    assert given >= 0.95 * asked, (given, asked)


@pytest.mark.parametrize("untold", UNTOLD)
def test_a_restriction_that_no_column_tells_leaves_no_number(elections: World, untold: str) -> None:
    service, restriction = elections.service(), untold.replace("|", " ")
    for slots in (("", "", "", ""), ("DEPUTADO FEDERAL", "PT", "DF", "elected"), ("GOVERNADOR", "", "PI", "")):
        for wording in WORDINGS:
            question = said(wording.replace("{office}", f"{{office}} {restriction}"), *slots)
            assert service.retrieve(question).counts == (), question
