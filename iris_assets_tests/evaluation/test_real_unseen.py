"""Questions of somebody who knew no rule, over the real records: who and which page, bill or number each must show."""

import json
from pathlib import Path

import pytest

from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.types import Turn

pytestmark = [pytest.mark.real_data, pytest.mark.slow, pytest.mark.timeout(900)]

# id → pages of which one must be cited for the only people whose evidence may appear; no page: nobody's.
PAGES: dict[str, dict[str, set[int]]] = {
    "a02": {"SIMONE TEBET": {10, 17}}, "a05": {"LÉO PÉRICLES": {6}}, "a08": {"ROBERTO JEFFERSON": {5}},
    "a11": {"JAIR BOLSONARO": {33, 39}}, "a17": {"JAIR BOLSONARO": {40, 41, 42}}, "a20": {},
    "b02": {"LULA": {14, 15}, "JAIR BOLSONARO": {9, 36}}, "b14": {"JAIR BOLSONARO": {10}},
    "b17": {"LULA": {17}, "JAIR BOLSONARO": {40}, "FELIPE D AVILA": {5, 7}}, "b20": {"SIMONE TEBET": {17}},
    "f26": {"LULA": {11}}, "g02": {}, "g05": {}, "g08": {}, "g11": {}, "g17": {}, "h02": {"FELIPE D AVILA": {33}},
    "h05": {"LULA": {11}}, "h08": {"LULA": {10}}, "h14": {"SIMONE TEBET": {21}}, "h17": {}, "j02": {"LULA": {14}},
    "j14": {"FELIPE D AVILA": {5, 7}},
}  # fmt: skip
COUNTS = {"d02": [7], "d08": [20], "d11": [25]}
REFUSED = ("f02", "f05", "f08", "f11", "f14", "f17", "i02", "i14", "i17")
PEOPLE = {"e02": {"LEILA DO VÔLEI"}, "e08": {"ERIKA KOKAY"}, "e14": {"FRAGA"}, "f20": {"PARENTE", "RENAN ARRUDA"}}


@pytest.fixture(scope="module")
def asked(shared_data: Path) -> dict[str, dict[str, object]]:
    lines = (shared_data / "questions/unseen_sample.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def _found(service: RetrievalService, row: dict[str, object]):  # type: ignore[no-untyped-def]
    history = [Turn(str(one)) for one in row["history"]]  # type: ignore[attr-defined]
    return service.retrieve(str(row["question"]), history=history)


@pytest.mark.parametrize("key", PAGES)
def test_who_is_shown_with_which_page(service: RetrievalService, asked: dict[str, dict[str, object]], key: str) -> None:
    found = _found(service, asked[key])
    shown: dict[str, set[int]] = {}
    for evidence in found.evidences:
        for one in evidence.candidates:
            shown.setdefault(one.ballot_name or one.name, set()).update(
                range(evidence.page_start or 0, (evidence.page_end or 0) + 1)
            )
    assert shown.keys() == PAGES[key].keys()
    assert all(shown[name] & pages for name, pages in PAGES[key].items()), shown


@pytest.mark.parametrize("key", COUNTS)
def test_the_number(service: RetrievalService, asked: dict[str, dict[str, object]], key: str) -> None:
    assert [row.count for row in _found(service, asked[key]).counts] == COUNTS[key]


@pytest.mark.parametrize("key", REFUSED)
def test_what_is_refused_shows_nothing(
    service: RetrievalService, asked: dict[str, dict[str, object]], key: str
) -> None:
    found = _found(service, asked[key])
    assert found.refusal and not found.evidences


@pytest.mark.parametrize("key", PEOPLE)
def test_whose_registration(service: RetrievalService, asked: dict[str, dict[str, object]], key: str) -> None:
    found = _found(service, asked[key])
    assert {one.ballot_name for evidence in found.evidences for one in evidence.candidates} == PEOPLE[key]
