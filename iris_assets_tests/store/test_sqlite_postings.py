"""The postings of the embedded search: full blocks, the tail, every change of a chunk, in step with the words."""

import random
from pathlib import Path

import pytest

from iris_assets.store.search import LexicalQuery, SearchFilter
from iris_assets.store.sqlite.postings import BLOCK, MOST
from iris_assets_tests.store.search_bench import Bench

pytestmark = pytest.mark.large_units  # a block is 2,048 chunks
WORDS = ("creche", "escola", "estrada", "hospital", "ponte", "praca", "vacina")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "store.sqlite3")


def holders(bench: Bench, term: str, **restriction: tuple[object, ...]) -> list[int]:
    query = LexicalQuery(((term,),), filter=SearchFilter(**restriction), limit=5000)  # type: ignore[arg-type]
    return sorted(hit.chunk_id for hit in bench.lexical.search(query))


def test_a_full_block_is_inverted_and_answers_as_the_tail_does(bench: Bench) -> None:
    ids = bench.add_many([(f"{n:05}", f"palavra{n % 7} comum") for n in range(BLOCK + 50)], ["cand1"])
    with bench.read() as connection:
        assert connection.exec_driver_sql("SELECT block, row_count FROM chunk_search_block").all() == [(0, BLOCK - 1)]
        assert connection.exec_driver_sql("SELECT count(*) FROM chunk_search_tail").scalar_one() == 51
    for rest in range(7):
        assert holders(bench, f"palavra{rest}") == [id_ for n, id_ in enumerate(ids) if n % 7 == rest]
    assert holders(bench, "comum", candidate_ids=(1,)) == ids
    assert holders(bench, "comum", candidate_ids=(2,)) == []
    assert bench.lexical.verify(deep=True).ok


def test_every_change_keeps_postings_words_and_filters_in_step(bench: Bench) -> None:
    chance = random.Random(5)

    def body() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(1, 9)))

    ids = bench.add_many([(f"{n:05}", body()) for n in range(BLOCK + 200)], ["ufsp"])
    for id_ in chance.sample(ids, 300):
        change = chance.choice(("remove", "rewrite", "refilter"))
        if change == "remove":
            bench.remove(id_)
        elif change == "rewrite":
            bench.rewrite(id_, body(), ["ufac", "cand7"])
        else:
            bench.refilter(id_, ["ufsp", "cand7"])
    assert bench.lexical.verify(deep=True).ok
    with bench.read() as connection:
        texts = dict(map(tuple, connection.exec_driver_sql("SELECT Id, SearchText FROM PoliticalChunk").all()))
    for word in WORDS:
        (term,) = bench.analyzer.analyze(word)
        expected = sorted(id_ for id_, text in texts.items() if term in text.split("\n")[2].split())
        assert holders(bench, term) == expected
        assert bench.lexical.document_frequency([term]) == {term: len(expected)}
        mine = [id_ for id_ in expected if "cand7" in bench.tokens[id_]]
        assert holders(bench, term, candidate_ids=(7,)) == mine


def test_the_order_does_not_depend_on_blocks(tmp_path: Path) -> None:
    """The same chunks, inserted in other orders, some in a full block and some in the tail, rank alike."""
    chance = random.Random(1)
    texts = [(f"s{n:05}", " ".join(chance.choices(WORDS, k=12))) for n in range(BLOCK + 300)]
    orders = []
    for seed in range(2):
        bench = Bench(tmp_path / f"{seed}.sqlite3")
        shuffled = texts.copy()
        random.Random(seed).shuffle(shuffled)
        names = dict(zip(bench.add_many(shuffled), (name for name, _ in shuffled), strict=True))
        orders.append([[names[id_] for id_ in bench.ask(q)] for q in ("creche", "escola ponte", "praça e vacinas")])
    assert orders[0] == orders[1]
    assert all(len(order) == 20 for order in orders[0])


def test_a_word_counted_more_often_than_a_code_holds_still_counts(bench: Bench) -> None:
    many = bench.add("1", "creche " * (3 * MOST))
    few = bench.add("2", "creche " + "escola " * (3 * MOST))
    assert bench.ask("creche") == [many, few]


def test_lost_postings_are_seen(bench: Bench) -> None:
    bench.add_many([(f"{n:05}", "creche escola") for n in range(BLOCK + 5)])
    assert bench.lexical.verify(deep=True).ok
    with bench.write() as connection:
        key = connection.exec_driver_sql("SELECT min(key) FROM chunk_search_posting").scalar_one()
        connection.exec_driver_sql("DELETE FROM chunk_search_posting WHERE key = ?", (key,))
    assert not bench.lexical.verify(deep=True).ok
    with bench.write() as connection:
        connection.exec_driver_sql("DELETE FROM chunk_search_tail WHERE chunk_id = ?", (BLOCK + 1,))
    assert not bench.lexical.verify().ok
    bench.lexical.rebuild()
    assert bench.lexical.verify(deep=True).ok
