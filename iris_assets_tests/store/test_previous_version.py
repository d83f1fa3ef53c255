"""A store that the previous version wrote (schema 0001, postings beside FTS5) opens, is migrated and answers.

`stores/0001.sqlite3.xz` is the bundled synthetic sample (SP, BR), collected, asked one question and given vectors of four numbers by
that version.
"""

import logging
import lzma
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from iris_assets.store import Store, admin, open_store
from iris_assets.store.migrations import HEAD
from iris_assets.store.search import LexicalQuery, SearchFilter
from iris_assets_tests.flows.commands import iris_assets

PREVIOUS = Path(__file__).parent / "stores" / "0001.sqlite3.xz"
ROWS = {
    "answer": 1, "camara_deputy": 10, "candidate": 31, "ingestion_run": 10, "match_evidence": 9, "political_chunk": 35,
    "political_history": 6, "proposal_document": 3, "proposition": 19, "proposition_author": 59, "proposition_topic": 21,
    "source_candidate": 39, "source_state": 49,
}  # fmt: skip
# What that version found: source, the first letters of its id, chunk.
FOUND = [
    ((("saud",), ("famil",)), SearchFilter(), ["PROPOSITION 9900017 0", "PROPOSITION 9900009 0", "GOVERNMENT_PROPOSAL 1586fa6 0"]),
    ((("merend",), ("escol",)), SearchFilter(states=("SP",)), ["GOVERNMENT_PROPOSAL 1586fa6 2"]),
    ((("transport",),), SearchFilter(states=("BR",)), ["GOVERNMENT_PROPOSAL bbbf0ca 3"]),
]  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "iris_assets.sqlite3"
    path.write_bytes(lzma.decompress(PREVIOUS.read_bytes()))
    return path


def places(store: Store, ids: list[int]) -> list[str]:
    known = store.chunks.places(ids)
    return [f"{known[id_][0]} {known[id_][1][:7]} {known[id_][2]}" for id_ in ids]


def test_it_opens_is_migrated_and_finds_what_it_found(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    url = f"sqlite:///{file}"
    findings = admin.check(url)["findings"]
    assert f"stands at migration 0001, head is {HEAD}" in findings
    assert all(finding.startswith(("stands at", "column ", "table ")) for finding in findings)
    with caplog.at_level(logging.WARNING):
        store = open_store(url)
    assert store.schema_version() == HEAD and caplog.text == ""
    tables = store.statistics()["tables"]
    assert {name: tables[name] for name in ROWS} == ROWS
    for terms, restriction, found in FOUND:
        hits = store.lexical.search(LexicalQuery(terms, filter=restriction, limit=3))
        assert places(store, [hit.chunk_id for hit in hits]) == found
    nearest = store.vectors.search(np.array([1, 2, 4, 0.5]), "modelo", 4, SearchFilter(states=("SP",)), 2)
    assert [hit.similarity for hit in nearest] == [1.0, 1.0]
    assert store.lexical.document_frequency(["saud", "transport"]) == {"saud": 5, "transport": 5}
    store.check_integrity()
    store.close()
    assert admin.check(url) == {"ok": True, "url": url, "revision": HEAD, "head": HEAD, "findings": []}
    with closing(sqlite3.connect(file)) as database:
        names = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE name LIKE 'chunk_search%'")}
    assert not {"chunk_search_posting", "chunk_search_block", "chunk_search_tail", "chunk_search_state"} & names


def test_it_answers_a_question(file: Path) -> None:
    said = iris_assets("ask", "O que os planos propõem para a saúde?", "--data", file.parent, "--json", cwd=file.parent)
    assert said.code == 0, said.err
    answer = said.json
    assert answer["sources"] and "[E1]" in answer["answer"]
