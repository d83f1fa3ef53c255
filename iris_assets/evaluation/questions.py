"""Question sets: YAML files with a schema, checked before anything is measured."""

import hashlib
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from iris_assets.errors import UsageError
from iris_assets.retrieval.types import Strategy
from iris_assets.store.search import SearchFilter
from iris_assets.ufs import PARTITIONS

MOST_QUESTIONS = 500  # their results are stored in one transaction
LONGEST_QUOTATION = 200  # characters: a set must not carry the sources' text


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Relevant(_Strict):
    """A source that answers the question, by identity; with `page`, evidence must cover that physical page."""

    source_type: str = Field(min_length=1)
    source_id: str = Field(min_length=1)
    page: int | None = Field(None, ge=1)
    grade: int = Field(1, ge=1, le=3)

    @property
    def key(self) -> str:
        """`TYPE|id` or `TYPE|id#page`: the document name in TREC files."""
        return f"{self.source_type}|{self.source_id}" + (f"#{self.page}" if self.page else "")


class Filters(_Strict):
    """Filters of a question, as the API takes them."""

    states: tuple[str, ...] = ()
    parties: tuple[str, ...] = ()
    offices: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    years: tuple[int, ...] = ()

    def restriction(self) -> SearchFilter:
        """As retrieval takes them."""
        return SearchFilter((), self.states, self.parties, self.offices, self.source_types, self.years)


class Earlier(_Strict):
    """A turn of the conversation before the question."""

    question: str
    candidate: str | None = None


class Question(_Strict):
    """One question with what is expected of retrieval.

    Exactly one of: `relevant` sources, `no_evidence`, or neither for strategies without sources (counts, refusals,
    clarifications), which then may give `count` or `quotation`. `partition` is the UF whose sources it needs; without
    one it is asked of every UF. `shown` is what a quote on the relevant page must hold: the sentence that answers.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{1,60}$")]
    question: str = Field(min_length=1, max_length=4000)
    partition: str | None = None
    candidate: str | None = None
    filters: Filters = Field(default_factory=Filters)
    history: tuple[Earlier, ...] = ()
    strategy: Strategy
    relevant: tuple[Relevant, ...] = ()
    no_evidence: bool = False
    count: int | None = None
    quotation: str | None = Field(None, max_length=LONGEST_QUOTATION)
    shown: str | None = Field(None, max_length=LONGEST_QUOTATION)
    tags: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A hash of what is asked and expected: evaluations compare questions of equal digest only."""
        text = self.model_dump_json(exclude={"id", "partition", "tags", "shown"})
        return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]

    @model_validator(mode="after")
    def _one_expectation(self) -> "Question":
        if self.partition is not None and self.partition not in PARTITIONS:
            raise ValueError(f"{self.partition} is no partition: a UF or BR")
        if self.relevant and self.no_evidence:
            raise ValueError("a question with relevant sources cannot expect no evidence")
        ranked = self.strategy in ("hybrid", "document_coverage", "reference_lookup")
        if ranked and not (self.relevant or self.no_evidence):
            raise ValueError(f"strategy {self.strategy} needs relevant sources or no_evidence")
        if len({one.key for one in self.relevant}) != len(self.relevant):
            raise ValueError("a relevant source is listed twice")
        return self


class QuestionSet(_Strict):
    """A named set; `hash` is that of the file's bytes."""

    name: str
    description: str = ""
    corpus: str = ""
    questions: tuple[Question, ...] = Field(min_length=1, max_length=MOST_QUESTIONS)
    hash: str = ""

    @model_validator(mode="after")
    def _unique(self) -> "QuestionSet":
        seen: set[str] = set()
        twice = {q.id for q in self.questions if q.id in seen or seen.add(q.id)}  # type: ignore[func-returns-value]
        if twice:
            raise ValueError(f"question ids come twice: {', '.join(sorted(twice))}")
        return self

    def of_partition(self, partition: str | None) -> tuple[Question, ...]:
        """The questions of one partition (those without a partition belong to all)."""
        return tuple(q for q in self.questions if partition is None or q.partition in (None, partition))


def load_questions(file: Path) -> QuestionSet:
    """Read and check a set; UsageError QUESTION_SET_INVALID says what is wrong and in which question."""
    found, problems = read_questions(file)
    if found is None:
        raise UsageError(
            "QUESTION_SET_INVALID", f"{file.name}: {'; '.join(problems)}", hint="iris-assets lint-questions FILE"
        )
    return found


def read_questions(file: Path) -> tuple[QuestionSet | None, list[str]]:
    """The set, or None with every problem of the file, each naming its question. UsageError FILE_UNREADABLE."""
    import yaml

    try:
        data = file.read_bytes()
        value: Any = yaml.load(data, Loader=_loader())
    except OSError as error:
        raise UsageError("FILE_UNREADABLE", f"cannot read {file}: {error.strerror}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: a date that is none
        return None, [f"no YAML: {' '.join(str(error).split())}"]
    try:
        checked = QuestionSet.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_input=False, include_url=False)
        # Questions that are wrong are also told as missing: said once is enough.
        inside = [item for item in found if len(item["loc"]) > 1]
        return None, [_explained(item, value) for item in inside or found]
    return checked.model_copy(update={"hash": hashlib.sha256(data).hexdigest()}), []


def _loader() -> Any:
    """YAML's safe loader, but a key that comes twice is an error: the first of the two would be lost silently."""
    import yaml

    class Loader(yaml.SafeLoader):
        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            keys = [self.construct_object(key, deep=True) for key, _ in node.value]
            twice = sorted({str(key) for key in keys if keys.count(key) > 1})
            if twice:
                raise yaml.MarkedYAMLError(problem=f"key twice: {', '.join(twice)}", problem_mark=node.start_mark)
            return super().construct_mapping(node, deep)

    return Loader


def _explained(item: Any, value: Any) -> str:
    """`question plano-lula: relevant.0.page: …` for a place inside a question, else the place as it is."""
    place = [str(part) for part in item["loc"]]
    if len(place) > 1 and place[0] == "questions" and place[1].isdigit():
        entry = value["questions"][int(place[1])]
        name = entry.get("id") if isinstance(entry, dict) else None
        place = [f"question {name or 'number ' + str(int(place[1]) + 1)}", ".".join(place[2:])]
    else:
        place = [".".join(place)]
    return ": ".join([part for part in place if part] + [item["msg"].removeprefix("Value error, ")])
