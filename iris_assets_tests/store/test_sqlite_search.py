"""Full-text search over FTS5: spellings, filters, order, syntax, damage, rebuild."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iris_assets.errors import StoreError
from iris_assets.store.search import LexicalQuery, SearchFilter
from iris_assets.store.search.bm25 import RankingWeights
from iris_assets.store.sqlite.search import _totals
from iris_assets_tests.store.search_bench import Bench

WORDS = ("creche", "escola", "estrada", "hospital", "ponte", "praca", "vacina")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "store.sqlite3")


def test_spellings_find_the_same_chunks_in_the_same_order(bench: Bench) -> None:
    ids = [
        bench.add(str(n), text) for n, text in enumerate(["educação básica", "EDUCACAO superior", "saúde", "estradas"])
    ]
    found = {tuple(bench.ask(q)) for q in ("educação", "educacao", "EDUCAÇÃO", "educac\u0327a\u0303o")}
    assert found == {tuple(ids[:2])}


@pytest.mark.parametrize(
    "question", ['"', "educação AND", "NEAR(a b", "title:x", "a*", "(", "-educação", "x^2", "';--"]
)
def test_question_syntax_never_raises(bench: Bench, question: str) -> None:
    bench.add("1", "educação básica")
    bench.ask(question)


def test_filters_hold_before_the_limit(bench: Bench) -> None:
    for number in range(60):
        bench.add(f"a{number:02}", "creche creche creche", tokens=["cand1", "ufsp"])
    mine = bench.add("b", "uma creche", tokens=["cand2", "ufsp"])
    assert bench.ask("creche", restriction=SearchFilter(candidate_ids=(2,))) == [mine]
    assert bench.ask("creche", restriction=SearchFilter(candidate_ids=(2,), states=("AC",))) == []
    assert len(bench.ask("creche", restriction=SearchFilter(states=("SP",)), limit=100)) == 61


def test_all_terms_come_before_some(bench: Bench) -> None:
    some = bench.add("1", "reforma reforma reforma da previdência social")
    every = bench.add("2", "reforma tributária")
    for number in range(30):
        bench.add(f"x{number}", "outras coisas")
    assert bench.ask("reforma tributária") == [every, some]


def test_title_weighs_more_than_body(bench: Bench) -> None:
    body = bench.add("1", "sobre o transporte público e mais")
    title = bench.add("2", "sobre outras coisas e mais", title="Transporte")
    assert bench.ask("transporte") == [title, body]


def test_equal_scores_follow_the_identity_whatever_the_order_of_insertion(tmp_path: Path) -> None:
    orders = []
    for seed in range(3):
        bench = Bench(tmp_path / f"{seed}.sqlite3")
        sources = [f"s{n:03}" for n in range(150)]
        random.Random(seed).shuffle(sources)
        names = {bench.add(source, "o mesmo texto sobre creches"): source for source in sources}
        orders.append([names[id_] for id_ in bench.ask("creches")])
    assert orders[0] == orders[1] == orders[2] == [f"s{n:03}" for n in range(20)]


def test_two_documents_with_one_paragraph_are_found_apart(bench: Bench) -> None:
    first, second = bench.add("1", "o mesmo parágrafo"), bench.add("2", "o mesmo parágrafo")
    assert bench.ask("parágrafo") == [first, second]
    bench.remove(first)
    assert bench.ask("parágrafo") == [second]


def test_matched_terms_and_their_weight_are_told(bench: Bench) -> None:
    bench.add("1", "a receita do município")
    query = bench.analyzer.analyze_query("receita de sanduíche").query()
    (hit,) = bench.lexical.search(query)
    assert hit.matched == (0,)
    assert hit.weight < 0.5  # the word that no chunk holds weighs more


def test_damage_is_an_error_and_is_seen_at_start_and_rebuilt(bench: Bench) -> None:
    bench.add("1", "educação básica")
    chunk = bench.add("2", "educação superior")
    assert bench.lexical.verify(deep=True).ok
    with bench.write() as connection:
        connection.exec_driver_sql("DELETE FROM chunk_search WHERE rowid = ?", (chunk,))
    assert not bench.lexical.verify().ok
    with bench.write() as connection:
        connection.exec_driver_sql("DROP TABLE chunk_search")
    with pytest.raises(StoreError) as raised:
        bench.ask("educação")
    assert raised.value.code == "LEXICAL_INDEX_DAMAGED"
    bench.lexical.rebuild()
    assert bench.lexical.verify(deep=True).ok
    assert len(bench.ask("educação")) == 2


def test_document_frequency_and_size(bench: Bench) -> None:
    bench.add("1", "creche")
    bench.add("2", "creche e escola")
    assert bench.lexical.document_frequency(["crech", "escol", "nada"]) == {"crech": 2, "escol": 1, "nada": 0}
    assert bench.lexical.size() == 2


def test_words_in_quotes_are_found_side_by_side_first(bench: Bench) -> None:
    for number in range(100):
        bench.add(f"a{number:03}", "renda básica renda básica, mínima a renda para quem precisa")
    apart = bench.add("b", "a renda que é básica")
    together = bench.add("c", "do texto longo sobre muitas outras coisas a renda mínima básica de cidadania faz parte")
    assert bench.ask('a "renda mínima básica"')[0] == together
    assert apart not in bench.ask('a "renda mínima básica"')


def test_header_and_nearness_count(bench: Bench) -> None:
    far = bench.add("1", "escola um dois três quatro cinco seis sete oito nove dez onze rural")
    near = bench.add("2", "um dois três quatro cinco seis escola rural sete oito nove dez onze")
    assert bench.ask("escola rural") == [near, far]
    bench.lexical.weights = RankingWeights(proximity=0.0)
    assert bench.ask("escola rural") == [far, near]
    header = bench.add("3", "um dois três", header="Plano · hospital")
    assert bench.ask("hospital") == [header]
    bench.lexical.weights = RankingWeights(header=0.0)
    assert bench.ask("hospital") == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
def test_any_question_is_answered(bench: Bench, question: str) -> None:
    if not bench.tokens:
        bench.add("1", "educação básica")
    for hit in bench.ask(f"educação {question}"):
        assert hit == 1


def test_what_was_undone_is_not_found(bench: Bench) -> None:
    kept = bench.add("1", "creche")

    class Undone(Exception):
        pass

    with pytest.raises(Undone), bench.write() as connection:
        bench._added(connection, "2", "creche", ())
        raise Undone
    assert bench.ask("creche") == [kept]
    again = bench.add("3", "escola")
    assert (bench.ask("creche"), bench.ask("escola")) == ([kept], [again])


def test_a_word_that_stands_twice_side_by_side_counts_twice(bench: Bench) -> None:
    once = bench.add("a", "creche escola ponte")
    twice = bench.add("b", "creche creche ponte")
    thrice = bench.add("c", "creche creche creche")
    assert bench.ask("creche") == [thrice, twice, once]


def test_every_change_keeps_words_filters_and_frequencies_in_step(bench: Bench) -> None:
    chance = random.Random(5)

    def body() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(1, 9)))

    def holders(term: str, **restriction: tuple[int, ...]) -> list[int]:
        query = LexicalQuery(((term,),), filter=SearchFilter(**restriction), limit=500)  # type: ignore[arg-type]
        return sorted(hit.chunk_id for hit in bench.lexical.search(query))

    texts = dict.fromkeys(bench.add_many([(f"{n:05}", body()) for n in range(300)], ["ufsp"]), "")
    for id_ in chance.sample(sorted(texts), 120):
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
        assert holders(term) == expected
        assert bench.lexical.document_frequency([term]) == {term: len(expected)}
        assert holders(term, candidate_ids=(7,)) == [id_ for id_ in expected if "cand7" in bench.tokens[id_]]


def test_a_filter_is_no_word_and_a_word_no_filter(bench: Bench) -> None:
    bench.add("1", "creche de cand7 e de ufsp", tokens=["cand1"])
    other = bench.add("2", "outra creche", tokens=["cand7", "ufsp"])
    assert bench.ask("creche", restriction=SearchFilter(candidate_ids=(7,))) == [other]
    assert bench.lexical.document_frequency(["ufsp"]) == {"ufsp": 1}
    assert len(bench.ask("ufsp")) == 1


def test_statistics_are_those_of_the_ranked_fields(bench: Bench) -> None:
    bench.add("1", "creche escola ponte", title="Plano", header="SP hospital", tokens=["ufsp", "cand1"])
    bench.add("2", "creche")
    bench.remove(bench.add("3", "vacina vacina"))
    with bench.read() as connection:
        assert _totals(connection) == (2, 7)
    with bench.write() as connection:
        connection.exec_driver_sql("DELETE FROM PoliticalChunk")
    bench.lexical.rebuild()
    with bench.read() as connection:
        assert _totals(connection) == (0, 0)
