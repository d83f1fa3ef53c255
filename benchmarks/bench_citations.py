"""Citation precision and recall of the answers to the golden questions, by our own verifier.

python benchmarks/bench_citations.py --data DIR     (the store of the golden questions: see docs/benchmarks.md)

Three texts for each question: the extract that is served without a key; what a loopback model wrote; what was left of
it after the gate. The loopback model copies a sentence of each evidence and spoils one in three in a known way.
Recall: sentences that their citations bear out, of all. Precision: citations that are needed or bear the sentence out
alone, of all. Questions that no model would be called for (refusals, look-ups, no evidence) are left out.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from iris_assets.answers.context import gate_evidence
from iris_assets.answers.extract import build_extract
from iris_assets.answers.service import AnswerService
from iris_assets.evaluation import default_question_file
from iris_assets.evaluation.questions import Question, load_questions
from iris_assets.grounding.evidence import Evidence
from iris_assets.grounding.layout import BLANK, HEADING, LEAD_IN, RULE, split_blocks, split_sentences
from iris_assets.grounding.markers import MARKER, cited_ids
from iris_assets.grounding.verifier import verify
from iris_assets.llm.chat import ChatClient
from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.types import Retrieval, Turn
from iris_assets.settings import Settings, load_settings
from iris_assets.store import open_store
from iris_assets_tests.answers.fake_llm import fake_model

_BLOCK = re.compile(r"^\[(E\d+)\]\n(.*?)(?=^\[E\d+\]\n|^</evidencias)", re.DOTALL | re.MULTILINE)
SPOILED = (
    "number put in",
    "bill put in",
    "no citation",
    "unknown citation",
    "another's citation",
    "quotation changed",
    "advice",
)


class Loopback:
    """Answers with a sentence of each evidence; every third is spoiled, kind after kind; keeps what it said."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []  # (sentence, how it was spoiled or "")
        self._turns = cycle(("", "", "spoil"))
        self._kinds = cycle(SPOILED)

    def __call__(self, request: dict[str, Any], call: int) -> tuple[int, Any]:
        user = request["messages"][1]["content"]
        found = [(key, _first_sentence(block)) for key, block in _BLOCK.findall(user)]
        self.said = [self._one(key, text, [k for k, _ in found]) for key, text in found if text]
        return 200, ("\n".join(f"- {sentence}" for sentence, _ in self.said), "stop")

    def _one(self, key: str, text: str, keys: Sequence[str]) -> tuple[str, str]:
        if not next(self._turns):
            return f"{text} [{key}].", ""
        kind = next(self._kinds)
        return _spoil(kind, key, text, keys), kind


def _first_sentence(block: str) -> str:
    passage = " ".join(block.partition("TRECHO: ")[2].partition("\nVIZINHANÇA: ")[0].split())
    long = [s for s in split_sentences(passage) if 40 <= len(s) <= 300]
    return (long or [passage[:200].rsplit(" ", 1)[0]])[0].rstrip(" .;:!?")


def _spoil(kind: str, key: str, text: str, keys: Sequence[str]) -> str:
    other = next((k for k in reversed(keys) if k != key), "E98")
    words = text.split()
    changed = " ".join([*words[: len(words) // 2], "ornitorrinco", *words[len(words) // 2 + 1 :]]).replace('"', "")
    return {
        "number put in": f"{text}, em 8.371 unidades [{key}].",
        "bill put in": f"{text}, conforme o PL 8371/2019 [{key}].",
        "no citation": f"{text}.",
        "unknown citation": f"{text} [E99].",
        "another's citation": f"{text} [{other}].",
        "quotation changed": f"Lê-se: “{changed}” [{key}].",
        "advice": f"{text}, por isso recomendo o voto [{key}].",
    }[kind]


class Tally:
    """Sentences borne out and citations needed."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.sentences = self.borne = self.citations = self.precise = self.answers = 0

    def add(self, text: str, evidences: Sequence[Evidence]) -> None:
        self.answers += 1
        for sentence in statements(text):
            ids = cited_ids(sentence)
            whole = holds(sentence, ids, evidences)
            self.sentences += 1
            self.borne += whole
            if not whole:
                self.failed.append(sentence)
            self.citations += len(MARKER.findall(sentence))
            for key in ids if whole else ():
                rest = [other for other in ids if other != key]
                self.precise += holds(sentence, [key], evidences) or not holds(sentence, rest, evidences)

    def row(self, name: str) -> str:
        precision = self.precise / self.citations if self.citations else 0.0
        recall = self.borne / self.sentences if self.sentences else 0.0
        return f"| {name} | {self.answers} | {self.sentences} | {self.citations} | {precision:.3f} | {recall:.3f} |"


def statements(text: str) -> Iterator[str]:
    """The sentences of an answer that state something (no headings, lead-ins and rules)."""
    for block in split_blocks(text):
        if block.kind not in (HEADING, LEAD_IN, RULE, BLANK):
            yield from (s for s in block.sentences if re.search(r"\w", MARKER.sub("", s)))


def holds(sentence: str, ids: Sequence[str], evidences: Sequence[Evidence]) -> bool:
    """Whether the gate keeps the sentence with exactly these citations."""
    bare = MARKER.sub("", sentence).rstrip(" .;")
    verified = verify(f"{bare} {''.join(f'[{key}]' for key in ids)}.", evidences)
    return bool(ids) and bool(verified.text) and not verified.removed


def extract_lines(text: str) -> str:
    """The extract without the lines that only name a candidate; the citation of a passage is given to its sentences."""
    lines = []
    for line in (line for line in text.split("\n") if line.startswith("- ")):
        marker = MARKER.findall(line)[-1]
        sentences = split_sentences(MARKER.sub("", line[2:]))
        lines += [f"- {sentence.rstrip(' .;')} [E{marker}]." for sentence in sentences]
    return "\n".join(lines)


def retrieved(service: RetrievalService, question: Question) -> Retrieval:
    history = [Turn(turn.question, turn.candidate) for turn in question.history]
    return service.retrieve(
        question.question, candidate=question.candidate, filters=question.filters.restriction(), history=history
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print what came out wrong")
    options = parser.parse_args()
    settings = load_settings(iris_assets_data=options.data)
    store = open_store(settings.store_url)
    retrieval = RetrievalService(store, settings)
    model = Loopback()
    tallies = {name: Tally() for name in ("extract", "loopback model, as written", "loopback model, after the gate")}
    fate: Counter[tuple[str, bool]] = Counter()
    with fake_model(model) as fake:
        chosen = Settings(llm_api_key="loopback", llm_base_url=fake.url, llm_api="chat", http_max_retries=1)
        service = AnswerService(store, settings, retrieval, ChatClient.from_settings(chosen))
        for question in load_questions(default_question_file()).questions:
            found = retrieved(retrieval, question)
            if found.refusal or found.clarification or found.lookup or not found.evidences:
                continue
            evidences = [gate_evidence(evidence) for evidence in found.evidences]
            tallies["extract"].add(extract_lines(build_extract(question.question, found.evidences).text), evidences)
            history = [Turn(turn.question, turn.candidate) for turn in question.history]
            answer = service.ask(
                question.question, candidate=question.candidate, filters=question.filters.restriction(), history=history
            )
            tallies["loopback model, as written"].add("\n".join(f"- {s}" for s, _ in model.said), evidences)
            if answer.generated:
                tallies["loopback model, after the gate"].add(answer.answer, evidences)
            for sentence, kind in model.said:
                stayed = sentence in answer.answer
                fate[kind or "sound", stayed] += 1
                if options.show and stayed == bool(kind):
                    doubts = [item.reason for item in (*answer.removed, *answer.flagged) if item.text == sentence]
                    print(kind or "LOST", "|", sentence, doubts)
    store.close()
    if options.show:
        print("\n".join(f"extract: {sentence}" for sentence in tallies["extract"].failed))
    print("| text | answers | sentences | citations | precision | recall |\n|---|---|---|---|---|---|")
    print("\n".join(tally.row(name) for name, tally in tallies.items()))
    print("\n| what the loopback model did | sentences | stayed |\n|---|---|---|")
    for kind in ("sound", *SPOILED):
        print(f"| {kind} | {fate[kind, True] + fate[kind, False]} | {fate[kind, True]} |")


if __name__ == "__main__":
    main()
