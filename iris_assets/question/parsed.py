"""What a question was read as: intent with its chance, people, filters, topic, references; and how that is told."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from iris_assets.question.people import People
from iris_assets.question.references import FoundReferences
from iris_assets.retrieval.types import CandidateRef
from iris_assets.store.search import SearchFilter

SURE: Final = 0.6  # chance from which an intent alone decides where to look
CLEAR: Final = 0.5  # chance below which other readings are told
POSSIBLE: Final = 0.15  # chance of a reading that is told
LABELS: Final = {
    "plan": "o que um plano de governo diz",
    "every_candidate": "o que cada candidatura propõe",
    "comparison": "comparação entre candidaturas",
    "bill_reference": "proposição citada pelo número",
    "bills": "proposições da Câmara",
    "count": "contagem nos registros",
    "registry": "dados do registro de candidatura",
    "history": "histórico político",
    "summary": "resumo dos registros",
    "topics": "temas mais frequentes",
    "page": "página ou seção de um plano",
    "quotation": "onde está uma frase",
    "follow_up": "continuação da pergunta anterior",
    "out_of_scope": "fora do que os registros dizem",
    "refuse": "pedido que não é respondido",
}
CHOOSABLE: Final = tuple(name for name in LABELS if name not in ("refuse", "follow_up"))  # a reader may choose them


@dataclass(frozen=True, slots=True)
class Named:
    """Words from `at` to `end` that name UFs, parties or offices (the tag says which): the records' `values` for them."""

    at: int
    end: int
    tag: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SubjectWord:
    """A word (folded) that may belong to the subject, how likely, and to which of several subjects."""

    form: str
    chance: float
    part: int


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A question read, before anything is searched.

    `intent` is one of LABELS, `chance` its calibrated chance and `others` the next ones; `scope` holds the UFs,
    parties, offices and elections that it names; `topic` only the words of its subject; `must_hold` the names of
    places and people that are in no list, which evidence must hold; `quotes` what stands in quotation marks.
    `searched` holds the topic and every other word that may belong to it, `subject` these words,
    `stretch` the question from the first of them to the last.
    """

    question: str
    intent: str
    chance: float = 1.0
    others: tuple[tuple[str, float], ...] = ()
    refused: str | None = None
    people: People = field(default_factory=People)
    scope: SearchFilter = field(default_factory=SearchFilter)
    topic: str = ""
    searched: str = ""
    subject: tuple[SubjectWord, ...] = ()
    stretch: str = ""
    must_hold: tuple[tuple[str, ...], ...] = ()
    references: FoundReferences = field(default_factory=lambda: FoundReferences((), ""))
    quotes: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    years: tuple[int, ...] = ()
    words: tuple[tuple[str, str], ...] = ()  # (folded word, tag)
    named: tuple[Named, ...] = ()
    sentences: tuple[int, ...] = (0,)  # where in `words` each sentence begins
    pauses: tuple[int, ...] = ()  # before which of `words` a comma or the like stands
    follows: int = 0  # how many of `words` are of the question that this one follows

    def after(self, before: "ParsedQuery") -> "ParsedQuery":
        """The question with the words and slots of the one that it follows in front."""
        size = len(before.words)
        return replace(
            self,
            words=(*before.words, *self.words),
            named=(*before.named, *(replace(one, at=one.at + size, end=one.end + size) for one in self.named)),
            sentences=(*before.sentences, *(at + size for at in self.sentences)),
            pauses=(*before.pauses, *(at + size for at in self.pauses)),
            follows=size,
        )

    @property
    def is_sure(self) -> bool:
        return self.chance >= SURE

    @property
    def also(self) -> tuple[str, ...]:
        """The intents that an unsure question may have as well; empty for one that is clear."""
        if self.chance >= CLEAR or self.refused:
            return ()
        likely = [name for name, chance in self.others if chance >= POSSIBLE and name in CHOOSABLE]
        return tuple(name for name in likely if name != self.intent)[:2]

    @property
    def folded(self) -> str:
        """The question as folded words, one blank between them."""
        return " ".join(form for form, _ in self.words)

    def chance_of(self, *intents: str) -> float:
        """The chance that the question has one of these intents."""
        return sum(chance for name, chance in ((self.intent, self.chance), *self.others) if name in intents)

    def understood(self, people: Sequence[CandidateRef] = ()) -> dict[str, Any]:
        """How the question was understood, for the reader: JSON values only; `people` are whom it was answered about."""
        filters = {
            "states": list(self.scope.states),
            "parties": list(self.scope.parties),
            "offices": list(self.scope.offices),
            "years": list(self.scope.years or self.years),
        }
        return {
            "intent": self.intent,
            "label": LABELS[self.intent],
            "confidence": round(self.chance, 2),
            "people": [
                {"tse_id": one.tse_id, "label": one.label, "year": one.year} for one in people or self.people.candidates
            ],
            "filters": {name: values for name, values in filters.items() if values},
            "topic": self.topic,
            "others": [{"intent": name, "label": LABELS[name]} for name in self.also],
        }
