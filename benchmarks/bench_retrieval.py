"""Latency of lexical, vector and hybrid search on real plan text repeated to size, with generated vectors.

    python benchmarks/bench_retrieval.py ../shared/data/plans_2020/plans.jsonl.gz 5000 50000

One process; p50 and p95 in milliseconds of wall time; peers (plain OR, numpy's product, faiss, bm25s) in the same run.
"""

import gzip
import itertools
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from sqlalchemy import create_engine
from sqlalchemy.engine import Connection

from iris_assets.indexing.analyzer import analyze_query, prepare
from iris_assets.store import sqlite_search
from iris_assets.store.search import SearchFilter
from iris_assets.store.sqlite_search import SqliteLexicalSearch
from iris_assets.store.vector_matrix import CODES_FROM, VectorMatrix

DIMENSION = 1536
CHUNK = 2800  # characters: about 700 tokens
QUESTIONS = (
    "construção de creches em tempo integral", "valorização dos professores", "coleta seletiva de lixo",
    "saúde da família e agentes comunitários", "iluminação pública de LED", "transporte escolar rural",
    "apoio à agricultura familiar", "saneamento básico e água tratada", "segurança e guarda municipal",
    "geração de emprego e renda para jovens", "concurso público", "pavimentação de ruas",
    "combate à corrupção e transparência", "turismo ecológico", "esporte e lazer para idosos",
    "merenda escolar de qualidade", "regularização fundiária", "atendimento a mulheres vítimas de violência",
    "orçamento participativo", "internet gratuita nas praças",
)  # fmt: skip


def main(file: Path, sizes: list[int]) -> None:
    print("| chunks | search | p50 ms | p95 ms |\n|---|---|---|---|")
    for size in sizes:
        with tempfile.TemporaryDirectory() as place:
            _lexical(Path(place) / "index.sqlite3", file, size)
        _vector(size)


def _report(size: int, label: str, run: Callable[[int], object], repeat: int = 3) -> None:
    times = []
    for _ in range(repeat):
        for number in range(len(QUESTIONS)):
            started = time.perf_counter()
            run(number)
            times.append(1000 * (time.perf_counter() - started))
    p50, p95 = np.percentile(times, [50, 95])
    print(f"| {size} | {label} | {p50:.1f} | {p95:.1f} |", flush=True)


def _chunks(file: Path, size: int) -> Iterator[str]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        texts = [" ".join(json.loads(line)["text"].split()) for line in lines]
    pieces = (text[start : start + CHUNK] for text in texts for start in range(0, len(text), CHUNK))
    return itertools.islice(itertools.cycle(list(pieces)), size)


def _lexical(path: Path, file: Path, size: int) -> None:
    engine = create_engine(f"sqlite:///{path}")

    @contextmanager
    def session() -> Iterator[Connection]:
        with engine.begin() as connection:
            yield connection

    known: dict[str, object] = {}
    with session() as connection:
        connection.exec_driver_sql(
            "CREATE TABLE PoliticalChunk (Id INTEGER PRIMARY KEY, SourceType TEXT, SourceId TEXT, ChunkIndex INTEGER)"
        )
        sqlite_search.create(connection)
        for number, text in enumerate(_chunks(file, size), 1):
            prepared = known.setdefault(text, prepare("", "", text))
            connection.exec_driver_sql("INSERT INTO PoliticalChunk VALUES (?, 'X', ?, 0)", (number, str(number)))
            sqlite_search.write(connection, number, prepared, (f"cand{number % (size // 50)}",))  # type: ignore[arg-type]
    index = SqliteLexicalSearch(session, session, lambda connection, ids: {})
    asked = [analyze_query(question) for question in QUESTIONS]
    _report(size, "lexical", lambda i: index.search(asked[i].query()))
    one = SearchFilter(candidate_ids=(7,))
    _report(size, "lexical, one candidate", lambda i: index.search(asked[i].query(one)))
    with session() as connection:
        sql = "SELECT rowid FROM chunk_search WHERE chunk_search MATCH ? ORDER BY rank LIMIT 20"

        def plain(i: int) -> object:
            words = " OR ".join(f'"{term[0]}"' for term in asked[i].terms)
            return connection.exec_driver_sql(sql, (words,)).all()

        _report(size, "peer: FTS5 plain OR", plain, repeat=1)


def _vector(size: int) -> None:
    random = np.random.default_rng(7)
    rows = random.standard_normal((size, DIMENSION), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    questions = rows[:: max(1, size // len(QUESTIONS))][: len(QUESTIONS)].copy()
    questions += 0.5 * random.standard_normal(questions.shape, dtype=np.float32) / np.sqrt(np.float32(DIMENSION))
    questions /= np.linalg.norm(questions, axis=1, keepdims=True)
    matrix = VectorMatrix(DIMENSION, capacity=size)
    matrix.put(list(range(1, size + 1)), rows)
    matrix.nearest(questions[:1], 20)
    label = "vector (sign bits, rescored)" if size >= CODES_FROM else "vector (exact)"
    _report(size, label, lambda i: matrix.nearest(questions[i : i + 1], 20))
    allowed = np.arange(1, size + 1, max(1, size // 50), dtype=np.int64)
    _report(size, "vector, 50 rows of a filter", lambda i: matrix.nearest(questions[i : i + 1], 20, allowed))
    _report(size, "peer: numpy product alone", lambda i: rows @ questions[i])
    if size >= CODES_FROM:
        _recall(matrix, rows, questions)
    try:
        import faiss
    except ImportError:
        return
    flat = faiss.IndexFlatIP(DIMENSION)
    flat.add(rows)
    _report(size, "peer: faiss flat", lambda i: flat.search(questions[i : i + 1], 20))


def _recall(matrix: VectorMatrix, rows: np.ndarray, questions: np.ndarray) -> None:
    found = 0
    for question in questions:
        exact = set((np.argsort(-(rows @ question))[:20] + 1).tolist())
        ids, scores = matrix.nearest(question[None, :], 20)[0]
        found += len(exact & set(ids[np.argsort(-scores)[:20]].tolist()))
    print(f"| {len(rows)} | recall@20 of sign bits | {found / (20 * len(questions)):.4f} | |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(size) for size in sys.argv[2:]])
