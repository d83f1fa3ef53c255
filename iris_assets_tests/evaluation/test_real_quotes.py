"""Every quote of the presidential plans of 2022 stands on the page that is named, whole, once, with a place for everybody."""

import csv
import io
import itertools
import re
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.answers.response import AnswerResponse, SourceModel
from iris_assets.answers.service import AnswerService
from iris_assets.documents import pages_of
from iris_assets.platform import Platform
from iris_assets.settings import load_settings
from iris_assets.web.comparison import as_csv, as_markdown, compare

pytestmark = [pytest.mark.real_data, pytest.mark.slow, pytest.mark.timeout(900)]

# The theme, and what an exhaustive search of a plan's text looks for (folded).
THEMES = {
    "saúde": r"\bsaude", "educação": r"\beducac", "Amazônia": r"\bamazoni", "reforma tributária": r"reforma tributaria",
    "segurança pública": r"seguranca publica", "salário mínimo": r"salario minimo", "creches": r"\bcreche",
    "agricultura familiar": r"agricultura familiar", "mulheres": r"\bmulher", "povos indígenas": r"povos indigenas",
    "meio ambiente": r"meio ambiente", "Bolsa Família": r"bolsa familia", "teto de gastos": r"teto de gastos",
    "cultura": r"\bcultura", "esporte": r"\besport", "moradia": r"\bmoradia", "saneamento": r"\bsaneamento",
    "Petrobras": r"\bpetrobras", "corrupção": r"\bcorrupc", "desmatamento": r"\bdesmatament",
}  # fmt: skip
FORMS = (
    "O que os planos propõem sobre {}?",
    "O que cada candidato a presidente propõe sobre {}?",
    "O que Lula propõe sobre {}?",
)
WITHOUT_PLAN = {"PABLO MARÇAL", "PADRE KELMON", "SOFIA MANZANO", "SORAYA THRONICKE"}


class Plans:
    """The text of the plans page by page, as it was read from the PDFs."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        rows = platform.store.documents.hashes(2022)
        texts = {key: platform.store.documents.get(key) for key in rows}
        scanned = [key for key, row in rows.items() if row["text_status"] == "EMPTY"]
        links = [link for key in scanned for link in platform.store.links.of_source("GOVERNMENT_PROPOSAL", key)]
        people = platform.store.candidates.by_ids([link["candidate_id"] for link in links]).values()
        self.unreadable = {row["ballot_name"] for row in people}
        self.pages = {key: dict(pages_of((row and row["raw_text"]) or "")) for key, row in texts.items()}

    def of(self, tse_id: str) -> str:
        """Everything that the plans of a candidate say, folded."""
        row = self.platform.store.candidates.by_tse_id(tse_id)
        assert row is not None
        documents = self.platform.store.documents.of_candidate(row["id"])
        text = "\n".join(page for one in documents for page in self.pages[one["document_hash"]].values())
        return " ".join(folded(text).split())

    def stands(self, document: str, first: int, last: int, quote: str) -> bool:
        """Whether the letters of every part of a quote stand on its page, or on its two pages one after the other."""
        pages = [letters(self.pages[document].get(number, "")) for number in range(first, last + 1)]
        return all(_on(pages, letters(part)) for part in quote.split(" … "))


def _on(pages: list[str], part: str) -> bool:
    if any(part in page for page in pages):
        return True
    return any(
        part[:cut] in one and part[cut:] in other
        for one, other in itertools.pairwise(pages)
        for cut in range(1, len(part))
    )


def folded(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))


def letters(text: str) -> str:
    return re.sub(r"[\W_]", "", folded(text))


@pytest.fixture(scope="module")
def platform(data: Path) -> Iterator[Platform]:
    opened = Platform(load_settings({}, iris_assets_data=data))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def plans(platform: Platform) -> Plans:
    return Plans(platform)


@pytest.fixture(scope="module")
def service(platform: Platform) -> AnswerService:
    return platform.answers


@pytest.fixture(scope="module")
def answers(service: AnswerService) -> list[tuple[str, AnswerResponse]]:
    """Every theme in every form: 60 questions."""
    return [(theme, service.ask(form.format(theme))) for theme in THEMES for form in FORMS]


def plan_quotes(answer: AnswerResponse) -> list[SourceModel]:
    return [source for source in answer.sources if source.source_type == "GOVERNMENT_PROPOSAL" and source.cited]


def test_the_words_of_every_quote_stand_on_the_named_page(
    answers: list[tuple[str, AnswerResponse]], plans: Plans
) -> None:
    quotes = [(source, theme) for theme, answer in answers for source in plan_quotes(answer)]
    assert len(answers) == 60 and len(quotes) >= 300
    for source, theme in quotes:
        assert source.page_start is not None and source.page_end is not None
        assert plans.stands(source.source_id, source.page_start, source.page_end, source.quote), (theme, source.quote)
        assert source.page_end - source.page_start <= 1


def test_the_text_of_an_answer_names_the_pages_of_its_sources(answers: list[tuple[str, AnswerResponse]]) -> None:
    for _, answer in answers:
        lines = {found[1]: line for line in answer.answer.split("\n") if (found := re.search(r"\[(E\d+)\]$", line))}
        for source in plan_quotes(answer):
            pages = str(source.page_start) + (f"–{source.page_end}" if source.page_end != source.page_start else "")
            assert f", p. {pages}: " in lines[source.evidence_id] and source.quote in lines[source.evidence_id]


def test_every_excerpt_is_whole_and_holds_a_word_of_the_topic(answers: list[tuple[str, AnswerResponse]]) -> None:
    words = {theme: [word for word in folded(theme).split() if len(word) > 2] for theme in THEMES}
    for theme, answer in answers:
        for source in plan_quotes(answer):
            assert any(word[:5].rstrip("s") in folded(source.quote) for word in words[theme]), (theme, source.quote)
            for part in source.quote.split(" … "):
                assert not part[0].islower() or re.match(r"[a-z]\)|\S.*;$", part), part


def test_no_sentence_stands_twice_in_an_answer(answers: list[tuple[str, AnswerResponse]]) -> None:
    for _, answer in answers:
        parts = [
            (source.source_id, sentence)
            for source in plan_quotes(answer)
            for sentence in re.split(r"(?<=[.;!?]) | … ", source.quote)
            if len(sentence) > 40
        ]
        assert len(parts) == len(set(parts))


@pytest.mark.parametrize("theme", THEMES)
def test_everybody_whose_plan_holds_the_theme_is_shown_and_the_others_are_told_why(
    service: AnswerService, plans: Plans, theme: str
) -> None:
    answer = service.ask(FORMS[1].format(theme))
    lines = dict(line[2:].split(" — ", 1) for line in answer.answer.split("\n"))
    assert len(lines) == 13 and list(lines) == sorted(lines, key=folded)
    shown = {one.ballot_name: one.tse_id for source in plan_quotes(answer) for one in source.candidates}
    for name, line in lines.items():
        if name in plans.unreadable:
            assert "não tem texto" in line
        elif name in WITHOUT_PLAN:
            assert "sem plano registrado" in line
        elif name in shown:
            assert line.count("[E") == 1
        else:
            assert "trat" in line  # silent about it, or its words stand apart
    for row in service.retrieval.store.candidates.list(offices=("PRESIDENTE",)):
        holds = re.search(THEMES[theme], plans.of(row["tse_id"])) is not None
        assert not holds or row["ballot_name"] in shown, (theme, row["ballot_name"])


@pytest.mark.parametrize("theme", THEMES)
def test_nobody_has_a_second_place_while_one_lacks_the_first(service: AnswerService, plans: Plans, theme: str) -> None:
    answer = service.ask(FORMS[0].format(theme))
    places: dict[str, int] = {}
    for source in plan_quotes(answer):
        for one in source.candidates:
            places[one.tse_id] = places.get(one.tse_id, 0) + 1
    for row in service.retrieval.store.candidates.list(offices=("PRESIDENTE",)):
        if re.search(THEMES[theme], plans.of(row["tse_id"])):
            assert row["tse_id"] in places, (theme, row["ballot_name"])
    for name in plans.unreadable:  # a scanned plan, on a machine without recognition
        assert re.search(rf"{name} — .*não tem texto", answer.answer)


def test_comparison_and_exports_name_the_page_of_the_excerpt(platform: Platform, plans: Plans) -> None:
    rows = platform.store.candidates.list(offices=("PRESIDENTE",))
    ids = {row["ballot_name"]: row["tse_id"] for row in rows}
    documents = {name: platform.store.documents.of_candidate(row["id"]) for name, row in zip(ids, rows, strict=True)}
    checked = 0
    for theme in list(THEMES)[:8]:
        names = ("LULA", "SIMONE TEBET", "VERA")
        reply = compare(platform, [ids[name] for name in names], theme)
        for column in reply.columns:
            [document] = documents[column.candidate.ballot_name or ""]
            for passage in column.passages:
                if passage.page_start is None:
                    continue
                last = passage.page_end or passage.page_start
                assert plans.stands(document["document_hash"], passage.page_start, last, passage.excerpt)
                checked += 1
        [line] = [line for line in csv.reader(io.StringIO(as_csv(reply))) if line[0].startswith("Sobre:")]
        told = [(f"p. {p.page_start}", p.excerpt) for column in reply.columns for p in column.passages if p.page_start]
        assert all(any(page in cell and excerpt in cell for cell in line) for page, excerpt in told)
        assert all(page in as_markdown(reply) for page, _ in told)
    assert checked >= 40


def test_in_which_page_and_a_whole_page(service: AnswerService, plans: Plans) -> None:
    answer = service.ask("Em que página o Lula fala do Bolsa Família?")
    assert answer.sources[0].page_start == 5 and ", p. 5: " in answer.answer
    [page] = service.ask("Página 12 do plano do Lula").sources
    assert (page.page_start, page.page_end) == (12, 12)
    assert letters(page.quote) == letters(plans.pages[page.source_id][12])


def test_two_hundred_questions_asked_twice_add_little_to_the_store(data: Path, tmp_path: Path) -> None:
    """A tenth of 2,000, which are to add less than 15 MB."""
    file = tmp_path / "iris_assets.sqlite3"
    shutil.copy(data / "iris_assets.sqlite3", file)
    opened = Platform(load_settings({}, iris_assets_data=tmp_path))
    people = ("Lula", "Jair Bolsonaro", "Simone Tebet", "Vera", "Léo Péricles")
    questions = [f"{form} {name} {theme}?" for form in ("O que diz", "E") for name in people for theme in THEMES]
    opened.store.optimise()
    before = file.stat().st_size
    first = [opened.answers.ask(question).answer_id for question in questions]
    again = [opened.answers.ask(question).answer_id for question in questions]
    opened.store.optimise()
    opened.close()
    assert len(set(first)) == len(questions) == 200 and again == first
    assert file.stat().st_size - before < 1_500_000
