"""One analyzer for documents and questions: accents folded, codes and numbers whole, light stems beside exact forms."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from iris_assets.indexing.analyzer_stem import STEMMERS, Stemmer, relatives
from iris_assets.indexing.analyzer_words import ACRONYMS, QUESTION_WORDS, STOP_WORDS
from iris_assets.store.search import LexicalQuery, PreparedText, SearchFilter
from iris_assets.words.text import fold_for_index

ANALYZER_VERSION = "2"  # part of every input fingerprint: a change prepares all chunks anew


TOKEN = re.compile(
    r"""
      (?P<money>[a-z]{0,2}\$)
    | (?P<ordinal>\d+[ºª]|n\.?\s?º|n\.\s?[oº](?=\s*\d))
    | (?P<code>\d+x\d+)
    | (?P<number>\d{1,3}(?:\.\d{3})+(?:[/-]\d{2,4}|,\d+)?%?|\d+(?:[.,/-]\d+)*%?)(?![a-z])
    | (?P<dotted>(?:[a-z]\.){2,}[a-z]?(?![a-z]))
    | (?P<mixed>[a-z0-9]+(?:-[a-z0-9]+)*-\d+(?:\.\d+)*)
    | (?P<elided>[dl]'(?P<rest>[a-z]+))
    | (?P<word>[^\W_]+)
    """,
    re.VERBOSE,
)
THOUSANDS = re.compile(r"(?<=\d)\.(?=\d{3}(?!\d))")
PROCLITIC = re.compile(r"(?<=[a-z])-(?=[a-z])")


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its folded form, other forms under which a document also stores it, and where it stands."""

    form: str
    others: tuple[str, ...] = ()


LEAST_PART = 0.3  # of what the best part of a subject is worth: less tells nothing alone


@dataclass(frozen=True, slots=True)
class AnalyzedQuestion:
    """A question's terms: `terms` are alternatives (stemmed), `exact` the folded forms beside them.

    `weights` are how much each term counts in the search, `worth` what it counts among these texts (with its rarity);
    without them all count alike. `parts` number the subjects that they belong to: "saúde e escolas" are two.
    """

    terms: tuple[tuple[str, ...], ...]
    exact: tuple[str, ...]
    words: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...] = ()
    weights: tuple[float, ...] = ()
    worth: tuple[float, ...] = ()
    parts: tuple[int, ...] = ()

    def shares(self, matched: Collection[int]) -> dict[int, float]:
        """For each part of the subject how much of it some terms (positions) hold; parts that tell little are left out."""
        worth = self.worth or (1.0,) * len(self.terms)
        parts = self.parts or (0,) * len(self.terms)
        whole: dict[int, float] = {}
        found: dict[int, float] = {}
        for at, (value, part) in enumerate(zip(worth, parts, strict=True)):
            whole[part] = whole.get(part, 0.0) + value
            found[part] = found.get(part, 0.0) + value * (at in matched)
        least = LEAST_PART * max(whole.values(), default=0.0)
        return {part: found[part] / value for part, value in whole.items() if value >= least and value}

    def share(self, matched: Collection[int]) -> float:
        """How much of the subject some terms hold: of its best part."""
        return max(self.shares(matched).values(), default=0.0)

    def query(self, restriction: SearchFilter | None = None, limit: int = 20) -> LexicalQuery:
        """The question as an engine takes it."""
        return LexicalQuery(self.terms, self.exact, self.phrases, restriction or SearchFilter(), limit, self.weights)


def tokens(text: str) -> Iterator[Token]:
    """All tokens of a text in order, stop words included."""
    for match in TOKEN.finditer(PROCLITIC.sub(" ", fold_for_index(text))):
        yield from _tokens_of(match)


def _tokens_of(match: re.Match[str]) -> Iterator[Token]:
    kind, form = match.lastgroup, match.group()
    if match["rest"]:
        yield Token(match["rest"], ("d" + match["rest"],))
    elif kind == "ordinal":
        yield Token("nº") if form[0] == "n" else Token(form, (form[:-1],))
    elif kind == "number":
        yield _number(form)
    elif kind == "dotted":
        yield Token(form.replace(".", ""))
    elif kind == "mixed":
        yield Token(form, tuple(form.split("-")))
    elif form.startswith("lgbt") and form != "lgbt":
        yield Token(form, ("lgbt",))  # LGBTQIA+, LGBTI…: one word of many spellings
    else:
        yield Token(form)


def _number(form: str) -> Token:
    """`1.234/2023` → `1234/2023` (also `1234`, `2023`); `1.500,00` → `1500,00` (also `1500`)."""
    plain = THOUSANDS.sub("", form).removesuffix("%")
    if "/" in plain or "-" in plain:
        return Token(plain, tuple(part for part in re.split(r"[/-]", plain) if part))
    if "," in plain:
        whole, _, cents = plain.partition(",")
        return Token(plain, (whole,) if not cents.strip("0") else ())
    return Token(plain)


class Analyzer:
    """The analyzer with one stemmer; the default is what the ablation chose (docs/benchmarks.md)."""

    def __init__(self, stemmer: str = "strong") -> None:
        self.name = stemmer
        self._stem: Stemmer = STEMMERS[stemmer]

    def analyze(self, text: str) -> list[str]:
        """Stemmed terms in order, without stop words."""
        return [self._stem(token.form) for token in tokens(text) if token.form not in STOP_WORDS]

    def prepare(self, title: str | None, header: str | None, body: str) -> PreparedText:
        """The terms of a chunk by field."""
        parts = [self._field(text) for text in (title or "", header or "", body)]
        exact = " ".join(exact for _, exact in parts if exact)
        return PreparedText(parts[0][0], parts[1][0], parts[2][0], exact)

    def analyze_query(self, question: str) -> AnalyzedQuestion:
        """The terms of a question, each once. Whatever the question holds, nothing raises."""
        found: dict[str, tuple[tuple[str, ...], str]] = {}
        kept = [
            token for token in tokens(question) if token.form not in STOP_WORDS and token.form not in QUESTION_WORDS
        ]
        acronyms = _acronyms_of([token.form for token in kept])
        for index, token in enumerate(kept):
            stem = self._stem(token.form)
            alternatives = (
                stem,
                *(self._stem(other) for other in _query_others(token)),
                *(relatives(stem) if self.name == "strong" else ()),
                *(self._stem(acronym) for acronym in acronyms.get(index, ())),
            )
            found.setdefault(stem, (tuple(dict.fromkeys(alternatives)), token.form))
        return AnalyzedQuestion(
            tuple(alternatives for alternatives, _ in found.values()),
            tuple(form for _, form in found.values()),
            tuple(form for _, form in found.values()),
            self._phrases(question),
        )

    def _phrases(self, question: str) -> tuple[tuple[str, ...], ...]:
        quoted = re.findall(r"[\"“«]([^\"”»]{3,200})[\"”»]", question)
        phrases = (tuple(self.analyze(part)) for part in quoted)
        return tuple(phrase for phrase in phrases if len(phrase) > 1)

    def _field(self, text: str) -> tuple[str, str]:
        stemmed: list[str] = []
        exact: list[str] = []
        for token in tokens(text):
            if token.form in STOP_WORDS:
                continue
            exact.append(token.form)
            stemmed.append(self._stem(token.form))
            stemmed.extend(self._stem(other) for other in token.others if other not in STOP_WORDS)
        stemmed.extend(self._stem(acronym) for acronym in _acronyms_in(exact))
        return " ".join(stemmed), " ".join(exact)


def _query_others(token: Token) -> tuple[str, ...]:
    """Other forms that a question's token accepts: the parts of `covid-19`, never the parts of `1234/2023`."""
    if "/" in token.form:
        return ()
    return tuple(other for other in token.others if not token.form[0].isdigit() or token.form[-1] in "ºª")[:1]


LONG_FORMS: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
for _acronym, _words in ACRONYMS.items():
    LONG_FORMS.setdefault(_words[0], []).append((_acronym, _words))


def _acronyms_of(words: list[str]) -> dict[int, tuple[str, ...]]:
    """Positions of the words of a long form → its acronym, so that a document that only has the acronym is found."""
    found: dict[int, tuple[str, ...]] = {}
    for start, word in enumerate(words):
        for acronym, long_form in LONG_FORMS.get(word, ()):
            if tuple(words[start : start + len(long_form)]) == long_form:
                for position in range(start, start + len(long_form)):
                    found[position] = (*found.get(position, ()), acronym)
    return found


def _acronyms_in(words: list[str]) -> list[str]:
    """Acronyms whose long form the document spells out, one for each time."""
    return [acronym for position, acronyms in _acronyms_of(words).items() for acronym in acronyms
            if words[position] == ACRONYMS[acronym][0]]  # fmt: skip


DEFAULT = Analyzer()


def analyze(text: str) -> list[str]:
    """Stemmed terms of a text in order, without stop words."""
    return DEFAULT.analyze(text)


def prepare(title: str | None, header: str | None, body: str) -> PreparedText:
    """The terms of a chunk: title, header and body stemmed, and the exact forms of all three."""
    return DEFAULT.prepare(title, header, body)


def analyze_query(question: str) -> AnalyzedQuestion:
    """The terms of a question; never raises."""
    return DEFAULT.analyze_query(question)


def plain_words(question: str) -> AnalyzedQuestion:
    """A question as its bare words: the analyzer switched off, so that an evaluation can show what it is worth."""
    words = tuple(dict.fromkeys(question.split()))
    return AnalyzedQuestion(tuple((word,) for word in words), words, words)
