"""What is wrong with a question set beyond its schema: contradictions, doubles, and sources that the store lacks."""

from collections.abc import Iterator
from pathlib import Path

from iris_assets.evaluation.questions import Question, QuestionSet, read_questions
from iris_assets.store import Store
from iris_assets.ufs import PARTITIONS
from iris_assets.words.source_kinds import SOURCE_TYPES


def lint_questions(file: Path, store: Store | None = None) -> list[str]:
    """Every problem of a file in its order, each naming its question; empty when there is none.

    With a store, sources, pages and candidates that the questions name must be there. UsageError FILE_UNREADABLE.
    """
    found, problems = read_questions(file)
    if found is None:
        return problems
    problems = [*_doubles(found)]
    for question in found.questions:
        of_it = [*_contradictions(question), *_unknown_names(question)]
        if store is not None:
            of_it += _absent(question, store)
        problems += [f"question {question.id}: {problem}" for problem in of_it]
    return problems


def _doubles(found: QuestionSet) -> Iterator[str]:
    seen: dict[str, str] = {}
    for question in found.questions:
        text = f"{question.question.strip().casefold()}|{question.candidate}|{question.filters}|{question.history}"
        first = seen.setdefault(text, question.id)
        if first != question.id:
            yield f"question {question.id}: asks the same as {first}"


def _contradictions(question: Question) -> Iterator[str]:
    if question.count is not None and question.strategy != "structured_count":
        yield f"a count is expected, but the strategy is {question.strategy}"
    if question.no_evidence and question.strategy in ("refusal", "clarification", "structured_count"):
        yield f"no_evidence says nothing with the strategy {question.strategy}"
    if question.relevant and question.strategy in ("refusal", "clarification"):
        yield f"relevant sources cannot be found with the strategy {question.strategy}"


def _unknown_names(question: Question) -> Iterator[str]:
    types = [*question.filters.source_types, *(one.source_type for one in question.relevant)]
    yield from (
        f"unknown source type {name}; use one of {', '.join(SOURCE_TYPES)}"
        for name in dict.fromkeys(types)
        if name not in SOURCE_TYPES
    )
    yield from (f"unknown UF {state} in the filters" for state in question.filters.states if state not in PARTITIONS)


def _absent(question: Question, store: Store) -> Iterator[str]:
    named = [question.candidate, *(turn.candidate for turn in question.history)]
    for tse_id in dict.fromkeys(one for one in named if one is not None):
        if store.candidates.by_tse_id(tse_id) is None:
            yield f"candidate {tse_id} is not in the store"
    for one in question.relevant:
        rows = store.chunks.of_source(one.source_type, one.source_id)
        if not rows:
            yield f"source {one.source_type} {one.source_id} is not in the store"
        elif one.page and not any(
            row["page_start"] <= one.page <= (row["page_end"] or row["page_start"]) for row in rows if row["page_start"]
        ):
            yield f"page {one.page} of {one.source_type} {one.source_id} has no text in the store"
