"""Latency of lexical, vector and hybrid search on real plan text repeated to size, with generated vectors of 1,536 numbers.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/bench_retrieval.py PLANS.jsonl.gz 5000 50000 100000

One process, one thread; CPU and wall milliseconds. Peers in the same run: FTS5 plain OR over the same words, bm25s, numpy's
product, numpy exact and faiss flat (`uv pip install --target PEERS --no-deps bm25s faiss-cpu`, PYTHONPATH=PEERS).
`--place DIR --fill` fills the stores and measures nothing; the same without `--fill` measures what it filled.
`--encoded FILE` compares sign bits with the exact order on the real vectors that benchmarks/cached_encoder.py keeps.
"""

import argparse
import gzip
import itertools
import json
import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from iris_assets.indexing.analyzer import analyze_query, prepare
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.store import open_store
from iris_assets.store.core import Store
from iris_assets.store.search import PreparedText, SearchFilter, vector_matrix
from iris_assets.store.search.vector_matrix import CODES_FROM, VectorMatrix
from iris_assets.store.sqlite import index as sqlite_index

DIMENSION, MODEL, TOP = 1536, "generated", 20
CHUNK, OVERLAP = 2800, 400  # characters: about 700 and 100 tokens
PER_CANDIDATE = 50
BATCH = 2000
TYPE = "GOVERNMENT_PROPOSAL"
OFFICIAL = SearchFilter(source_types=("GOVERNMENT_PROPOSAL", "PROPOSITION", "POLITICAL_HISTORY"))
ONE = SearchFilter(candidate_ids=(7,))
QUESTIONS = (
    "construção de creches em tempo integral", "valorização dos professores", "coleta seletiva de lixo",
    "saúde da família e agentes comunitários", "iluminação pública de LED", "transporte escolar rural",
    "apoio à agricultura familiar", "saneamento básico e água tratada", "segurança e guarda municipal",
    "geração de emprego e renda para jovens", "concurso público", "pavimentação de ruas",
    "combate à corrupção e transparência", "turismo ecológico", "esporte e lazer para idosos",
    "merenda escolar de qualidade", "regularização fundiária", "atendimento a mulheres vítimas de violência",
    "orçamento participativo", "internet gratuita nas praças",
)  # fmt: skip


def main(arguments: argparse.Namespace) -> None:
    if arguments.encoded:
        _encoded(arguments.encoded)
    print("| chunks | search | CPU p50 ms | CPU p95 ms | wall p50 ms | wall p95 ms |\n|---|---|---|---|---|---|")
    for size in arguments.vectors:
        _matrix(size)
    with tempfile.TemporaryDirectory() as passing:
        for size in arguments.sizes:
            store = _store(arguments.place or Path(passing), arguments.plans, size)
            if not arguments.fill:
                _lexical(store, size)
                rows = _vector(store, size)
                _hybrid(store, size, rows)
            store.close()
    if arguments.fill:
        return
    if max([*arguments.sizes, *arguments.vectors], default=0) >= CODES_FROM:
        _without_structure()


def _report(size: int, label: str, run: Callable[[int], object], repeat: int = 3) -> None:
    run(0)
    cpu, wall = [], []
    for number in list(range(len(QUESTIONS))) * repeat:
        started, clock = time.process_time(), time.perf_counter()
        run(number)
        cpu.append(1000 * (time.process_time() - started))
        wall.append(1000 * (time.perf_counter() - clock))
    figures = [*np.percentile(cpu, [50, 95]), *np.percentile(wall, [50, 95])]
    _line(size, label, *(f"{value:.1f}" for value in figures))


def _line(size: int, label: str, *figures: str) -> None:
    print(f"| {size} | {label} | {' | '.join([*figures, '', '', '', ''][:4])} |", flush=True)


class _Piece(NamedTuple):
    """A passage of a plan as the store keeps it, but for the turn of the repetition."""

    plan: int
    index: int
    start: int
    text: str
    prepared: PreparedText


def _pieces(file: Path, size: int) -> Iterator[tuple[int, _Piece]]:
    """(turn, passage): all plans, again and again until there are `size` passages."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        texts = [" ".join(json.loads(line)["text"].split()) for line in lines]
    cuts = (
        (plan, start, text[start : start + CHUNK].strip())
        for plan, text in enumerate(texts)
        for start in range(0, max(len(text) - OVERLAP, 1), CHUNK - OVERLAP)
    )
    pieces = [
        _Piece(plan, start // (CHUNK - OVERLAP), start, text, prepare("", "", text))
        for plan, start, text in itertools.islice(cuts, size)
    ]
    return itertools.islice(((turn, piece) for turn in itertools.count() for piece in pieces), size)


def _vectors(size: int, seed: int) -> Iterator[np.ndarray]:
    """Unit rows: a topic (of 1,000), a document (of twenty rows) and noise in equal parts."""
    random = np.random.default_rng(seed)
    topics = random.standard_normal((1000, DIMENSION), dtype=np.float32)
    for start in range(0, size, BATCH):
        count = min(BATCH, size - start)
        documents = random.standard_normal((-(-count // 20), DIMENSION), dtype=np.float32).repeat(20, axis=0)[:count]
        rows = documents + random.standard_normal((count, DIMENSION), dtype=np.float32)
        rows += topics[random.integers(0, len(topics), -(-count // 20))].repeat(20, axis=0)[:count]
        yield rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _store(place: Path, file: Path, size: int) -> Store:
    """The store of `size` chunks that an earlier run filled in `place`, or a new one."""
    path = place / f"{size}.sqlite3"
    if path.exists():
        return open_store(f"sqlite:///{path}")
    unfinished = path.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    _filled(unfinished, file, size).close()
    unfinished.rename(path)
    return open_store(f"sqlite:///{path}")


def _filled(path: Path, file: Path, size: int) -> Store:
    """A store of `size` chunks with words and vectors, written as the platform writes them but for the links."""
    store = open_store(f"sqlite:///{path}")
    pieces = enumerate(_pieces(file, size), 1)
    started, indexing = time.process_time(), 0.0
    for vectors in _vectors(size, 7):
        part = list(itertools.islice(pieces, len(vectors)))
        with store.transaction() as tx:
            rows = [_row(number, *piece, vector) for (number, piece), vector in zip(part, vectors, strict=True)]
            tx.connection.exec_driver_sql(INSERT, rows)
            before = time.process_time()
            for number, (_, piece) in part:
                tokens = (f"cand{number // PER_CANDIDATE}", f"uf{'abcdefg'[number % 7]}", "typegovernmentproposal")
                sqlite_index.write(tx.connection, number, piece.prepared, tokens)
            indexing += time.process_time() - before
    store.optimise()
    speed, megabytes, spent = size / indexing, path.stat().st_size / 1e6, time.process_time() - started
    _line(size, f"indexed at {speed:,.0f} rows per CPU second; file {megabytes:,.0f} MB; {spent:,.0f} CPU s in all")
    return store


INSERT = (
    "INSERT INTO PoliticalChunk (Id, SourceType, SourceId, ChunkIndex, SpanStart, SpanEnd, Title, Content, ContentHash,"
    " EmbeddedTextHash, SearchText, SearchTermCount, Embedding, EmbeddingModel, EmbeddingDimension, CreatedAt, UpdatedAt)"
    f" VALUES (?, '{TYPE}', ?, ?, ?, ?, 'Plano', ?, ?, ?, ?, ?, ?, '{MODEL}', {DIMENSION}, '2026-01-01', '2026-01-01')"
)


def _row(number: int, turn: int, piece: _Piece, vector: np.ndarray) -> tuple[Any, ...]:
    place = (number, f"{turn:04}-{piece.plan:04}", piece.index, piece.start, piece.start + len(piece.text))
    words = (piece.prepared.joined, piece.prepared.term_count)
    return (*place, piece.text, str(number), str(number), *words, vector.tobytes())


def _lexical(store: Store, size: int) -> None:
    asked = [analyze_query(question) for question in QUESTIONS]
    started = time.process_time()
    store.lexical.search(asked[0].query(OFFICIAL))
    _line(size, "lexical, the first question of a process", f"{1000 * (time.process_time() - started):.1f}")
    for label, restriction in (
        ("lexical", SearchFilter()),
        ("lexical, official sources", OFFICIAL),
        ("lexical, one candidate", ONE),
    ):
        _report(size, label, lambda i, r=restriction: store.lexical.search(asked[i].query(r)))
    sql = "SELECT rowid FROM chunk_search WHERE chunk_search MATCH ? ORDER BY rank LIMIT 20"
    words = ["{title header body} : (" + " OR ".join(f'"{t[0]}"' for t in question.terms) + ")" for question in asked]
    with store.engine.reading() as connection:
        _report(size, "peer: FTS5 plain OR", lambda i: connection.exec_driver_sql(sql, (words[i],)).all(), repeat=1)
    _bm25s(store, size)


def _bm25s(store: Store, size: int) -> None:
    try:
        import bm25s
    except ImportError:
        return
    with store.engine.reading() as connection:
        rows = connection.exec_driver_sql("SELECT body FROM chunk_search ORDER BY rowid")
        words: dict[str, str] = {}  # each word once in memory: half a million texts hold a hundred million of them
        corpus = [[words.setdefault(word, word) for word in row[0].split()] for row in rows]
    index = bm25s.BM25(k1=0.9, b=0.4)
    index.index(corpus, show_progress=False)
    asked = [[term[0] for term in analyze_query(question).terms] for question in QUESTIONS]
    _report(size, "peer: bm25s (in memory)", lambda i: index.retrieve([asked[i]], k=TOP, show_progress=False))


def _vector(store: Store, size: int) -> np.ndarray:
    questions = _questions(size)
    started = time.process_time()
    store.vectors.search(questions[0], MODEL, DIMENSION, SearchFilter(), TOP)
    (matrix,) = store.vectors._matrices.values()
    _line(
        size,
        f"vectors loaded by the first question; resident {matrix.nbytes / 1e6:,.0f} MB",
        f"{1000 * (time.process_time() - started):,.0f}",
    )
    label = "vector (sign bits, rescored)" if size >= CODES_FROM else "vector (exact)"
    _report(size, label, lambda i: store.vectors.search(questions[i], MODEL, DIMENSION, SearchFilter(), TOP))
    _report(size, "vector, the matrix alone", lambda i: matrix.nearest(questions[i : i + 1], TOP))
    _report(size, "vector, one candidate", lambda i: store.vectors.search(questions[i], MODEL, DIMENSION, ONE, TOP))
    started = time.process_time()
    matrix.nearest(questions, TOP)
    _line(size, "vector, 20 questions in one batch, per question", f"{1000 * (time.process_time() - started) / 20:.1f}")
    _peers(matrix, size, questions)
    return questions


def _matrix(size: int) -> None:
    """The resident matrix without a store around it."""
    matrix, done, questions = VectorMatrix(DIMENSION, capacity=size), 0, _questions(size)
    for rows in _vectors(size, 7):
        matrix.put(list(range(done, done + len(rows))), rows)
        done += len(rows)
    started = time.process_time()
    matrix.nearest(questions[:1], TOP)
    spent = f"{1000 * (time.process_time() - started):,.0f}"
    _line(size, f"the first question (makes the codes); resident {matrix.nbytes / 1e6:,.0f} MB", spent)
    _report(size, "vector, the matrix alone", lambda i: matrix.nearest(questions[i : i + 1], TOP))
    allowed = np.arange(0, size, max(1, size // PER_CANDIDATE), dtype=np.int64)
    _report(size, "vector, 50 rows of a filter", lambda i: matrix.nearest(questions[i : i + 1], TOP, allowed))
    half = np.arange(0, size, 2, dtype=np.int64)
    _report(size, "vector, a filter that half the rows pass", lambda i: matrix.nearest(questions[i : i + 1], TOP, half))
    _peers(matrix, size, questions)


def _peers(matrix: VectorMatrix, size: int, questions: np.ndarray) -> None:
    rows = matrix._rows[: matrix.size]
    _report(size, "peer: numpy product alone", lambda i: rows @ questions[i])
    _report(
        size, "peer: numpy exact (product and top 20)", lambda i: np.argpartition(-(rows @ questions[i]), TOP)[:TOP]
    )
    _line(size, f"recall@20 against numpy exact: {_recall(matrix, questions):.4f}")
    _faiss(rows, questions)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    _line(size, f"peak memory of this process so far, peers included: {peak:,.0f} MB")


def _questions(size: int) -> np.ndarray:
    """Rows of the collection, each moved by as much noise as half its own length."""
    random = np.random.default_rng(11)
    found = np.concatenate([rows[:1] for rows in itertools.islice(_vectors(size, 7), len(QUESTIONS))])
    found = np.resize(found, (len(QUESTIONS), DIMENSION)).astype(np.float32)
    found += 0.5 * random.standard_normal(found.shape, dtype=np.float32) / np.sqrt(np.float32(DIMENSION))
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def _faiss(rows: np.ndarray, questions: np.ndarray) -> None:
    try:
        import faiss
    except ImportError:
        return
    faiss.omp_set_num_threads(1)
    flat = faiss.IndexFlatIP(rows.shape[1])
    flat.add(rows)
    _report(len(rows), "peer: faiss flat", lambda i: flat.search(questions[i : i + 1], TOP))


def _recall(matrix: VectorMatrix, questions: np.ndarray) -> float:
    rows, ids = matrix._rows[: matrix.size], matrix._ids[: matrix.size]
    found = 0
    for question in questions:
        exact = set(ids[np.argsort(-(rows @ question), kind="stable")[:TOP]].tolist())
        near, scores = matrix.nearest(question[None, :], TOP)[0]
        found += len(exact & set(near[np.argsort(-scores, kind="stable")[:TOP]].tolist()))
    return found / (TOP * len(questions))


class _Known:
    """Gives each question its generated vector."""

    def __init__(self, vectors: np.ndarray) -> None:
        self._vectors = dict(zip(QUESTIONS, vectors, strict=True))

    def embed_query(self, text: str) -> np.ndarray:
        return self._vectors[text]


def _hybrid(store: Store, size: int, questions: np.ndarray) -> None:
    settings = load_settings({}, embedding_model=MODEL, embedding_dimension=DIMENSION)
    service = RetrievalService(store, settings, _Known(questions))
    for label, restriction in (("hybrid, 8 passages with context", SearchFilter()), ("hybrid, one candidate", ONE)):
        _report(size, label, lambda i, r=restriction: service.search(QUESTIONS[i], filters=r))


def _without_structure() -> None:
    """Normal numbers: every row about equally far from every question, where codes tell nothing."""
    random = np.random.default_rng(3)
    matrix = VectorMatrix(DIMENSION, capacity=CODES_FROM)
    for start in range(0, CODES_FROM, BATCH):
        rows = random.standard_normal((BATCH, DIMENSION), dtype=np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        matrix.put(list(range(start, start + BATCH)), rows)
    questions = random.standard_normal((len(QUESTIONS), DIMENSION), dtype=np.float32)
    questions /= np.linalg.norm(questions, axis=1, keepdims=True)
    _report(CODES_FROM, "normal numbers, the matrix alone", lambda i: matrix.nearest(questions[i : i + 1], TOP))
    _report(
        CODES_FROM, "normal numbers, peer: numpy product alone", lambda i: matrix._rows[: matrix.size] @ questions[i]
    )
    _line(CODES_FROM, f"normal numbers, recall@20 against numpy exact: {_recall(matrix, questions):.4f}")


def _encoded(file: Path) -> None:
    """Sign bits on real vectors, whatever their number: recall@20 of every thirtieth vector against the exact order."""
    blobs = [
        row[0]
        for row in sqlite3.connect(f"file:{file}?mode=ro", uri=True).execute(
            "SELECT value FROM vector ORDER BY key LIMIT 3000"
        )
    ]
    rows = np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), -1).astype(np.float32)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    matrix = VectorMatrix(rows.shape[1], capacity=len(rows))
    matrix.put(list(range(len(rows))), rows)
    before = vector_matrix.CODES_FROM, vector_matrix.FULL_SHARE
    vector_matrix.CODES_FROM, vector_matrix.FULL_SHARE = 0, 1.0
    for multiple, least, margin in ((16, 400, 4.0), (4, 80, 4.0), (16, 400, 0.0), (4, 80, 0.0), (1, 20, 0.0)):
        vector_matrix.RESCORED, vector_matrix.MIN_RESCORED, vector_matrix.MARGIN = multiple, least, margin
        label = (
            f"{len(rows)} vectors of {rows.shape[1]}: at first {max(least, multiple * TOP)} rescored, margin {margin}"
        )
        print(f"{label}: recall@20 {_recall(matrix, rows[::30]):.4f}", flush=True)
    vector_matrix.RESCORED, vector_matrix.MIN_RESCORED, vector_matrix.MARGIN = 16, 400, 4.0
    vector_matrix.CODES_FROM, vector_matrix.FULL_SHARE = before


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("plans", type=Path)
    parser.add_argument("sizes", type=int, nargs="*")
    parser.add_argument("--vectors", type=int, nargs="*", default=[], help="sizes of which only the matrix is measured")
    parser.add_argument("--encoded", type=Path)
    parser.add_argument("--place", type=Path, help="keeps the stores in this folder (15 kB a chunk)")
    parser.add_argument("--fill", action="store_true", help="only fill the stores, to measure in a later run")
    main(parser.parse_args())
