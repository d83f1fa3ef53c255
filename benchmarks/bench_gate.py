"""The citation gate on real plans: sentences kept as they stand or harmlessly rewritten, and what mutations get through.

python benchmarks/bench_gate.py ../shared/data/plans_2020/plans.jsonl.gz [--passages 400] [--show KIND]
"""

import argparse
import gzip
import json
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from iris_assets.grounding.evidence import Evidence, Owner
from iris_assets.grounding.layout import split_sentences
from iris_assets.grounding.verifier import Verified, verify

ANA = Owner("1", ("ANA SOUZA", "ANA MARIA SOUZA"))
BRUNO = Owner("2", ("BRUNO LIMA", "BRUNO COSTA LIMA"))
MONTHS = [
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
]
WORDS = dict(
    zip(
        range(2, 13),
        ["dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez", "onze", "doze"],
        strict=True,
    )
)
Mutation = Callable[[str, random.Random], str | None]


def cited(sentence: str, marker: str = "[E1]") -> str:
    return f"{sentence.rstrip(' .;:')} {marker}."


def quoted(sentence: str, dice: random.Random) -> str | None:
    words = sentence.split()
    if len(words) < 8 or re.search(r"[\"“”'‘’]", sentence):
        return None
    start = dice.randrange(len(words) - 6)
    return " ".join(words[start : start + 6]).strip(" .,;:")


def quotation(sentence: str, dice: random.Random) -> str | None:
    part = quoted(sentence, dice)
    return cited(f"Ana Souza escreve: “{part}”") if part else None


def thousands(sentence: str, dice: random.Random) -> str | None:
    changed = re.sub(r"(?<![\d.,])(\d{1,3})\.(\d{3})(?![\d.,])", r"\1\2", sentence)
    return cited(changed) if changed != sentence else None


def in_words(sentence: str, dice: random.Random) -> str | None:
    changed = re.sub(
        r"(?<=[a-zà-ú] )(\d{1,2})(?= [a-zà-ú]{3,})",
        lambda match: WORDS.get(int(match[1]), match[1]),
        sentence,
    )
    return cited(changed) if changed != sentence else None


def long_dates(sentence: str, dice: random.Random) -> str | None:
    def spelled(match: re.Match[str]) -> str:
        return f"{int(match[1])} de {MONTHS[int(match[2]) - 1]} de {match[3]}"

    changed = re.sub(r"(?<!\d)(\d{2})/(0[1-9]|1[0-2])/(\d{4})(?!\d)", spelled, sentence)
    return cited(changed) if changed != sentence else None


HARMLESS: dict[str, Mutation] = {
    "as it stands": lambda s, _: cited(s),
    "citation after the full stop": lambda s, _: f"{s.rstrip(' .;:')}. [E1]",
    "candidate named before": lambda s, _: cited(f"Ana Souza propõe: {s}"),
    "capitals": lambda s, _: cited(s.upper()),
    "quotation of six words": quotation,
    "thousands without dot": thousands,
    "small numbers in words": in_words,
    "dates written out": long_dates,
}


def other_number(sentence: str, dice: random.Random) -> str | None:
    found = list(re.finditer(r"(?<![\w.,/-])\d{1,4}(?![\w.,/-])", sentence))
    if not found:
        return None
    match = dice.choice(found)
    return cited(sentence[: match.start()] + str(int(match[0]) + dice.randrange(7001, 9000)) + sentence[match.end() :])


def other_word(sentence: str, dice: random.Random) -> str | None:
    part = quoted(sentence, dice)
    if part is None:
        return None
    words = part.split()
    words[dice.randrange(len(words))] = "ornitorrinco"
    return cited(f"Ana Souza escreve: “{' '.join(words)}”")


HARMFUL: dict[str, Mutation] = {
    "one number changed": other_number,
    "quotation with one word changed": other_word,
    "other candidate named": lambda s, _: cited(f"Bruno Lima propõe: {s}"),
    "cited to the other's plan": lambda s, _: cited(f"Ana Souza propõe: {s}", "[E2]"),
    "citation that does not exist": lambda s, _: cited(s, "[E7]"),
    "no citation": lambda s, _: s,
    "per cent put in": lambda s, _: cited(f"{s.rstrip(' .;:')}, o que dá 83,7%"),
    "bill put in": lambda s, _: cited(f"{s.rstrip(' .;:')}, conforme o PL 8371/2019"),
    "advice put in": lambda s, _: f"{cited(s)} Por isso, vote em Ana Souza [E1].",
}
DOUBTS: dict[str, Mutation] = {
    "negation put in": lambda s, _: cited(f"Ana Souza não quer {s[0].lower()}{s[1:]}"),
}


def passages(file: Path, count: int, dice: random.Random) -> list[str]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        texts = [re.sub(r"\n\s*\n+", "\n", json.loads(line)["text"]) for line in lines]
    long = [text for text in texts if len(text) > 6000]
    return [text[(at := dice.randrange(len(text) - 2900)) : at + 2800] for text in dice.choices(long, k=count)]


def sentences(passage: str) -> Iterator[str]:
    for paragraph in passage.split("\n")[1:-1]:
        for sentence in split_sentences(paragraph):
            if (
                40 <= len(sentence) <= 400
                and re.search(r"[a-zà-ú]{4,} [a-zà-ú]{2,}", sentence)
                and sentence[0].isalpha()
            ):
                yield sentence


def chosen(found: list[str], dice: random.Random) -> list[str]:
    """Two at random and up to four with figures, which are rare in plans."""
    figures = [sentence for sentence in found if re.search(r"\d", sentence)]
    return list(dict.fromkeys(dice.sample(found, min(2, len(found))) + dice.sample(figures, min(4, len(figures)))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plans", type=Path)
    parser.add_argument("--passages", type=int, default=400)
    parser.add_argument("--show", help="print the answers of this kind that came out wrong")
    options = parser.parse_args()
    dice = random.Random(6)
    texts = passages(options.plans, options.passages + 1, dice)
    totals: Counter[str] = Counter()
    wrong: dict[str, list[tuple[str, Verified]]] = defaultdict(list)
    started = time.process_time()
    for own, other in pairwise(texts):
        evidences = [
            Evidence("E1", own, "Plano de governo de ANA SOUZA", owners=(ANA,)),
            Evidence("E2", other, "Plano de governo de BRUNO LIMA", owners=(BRUNO,)),
        ]
        for sentence in chosen(list(sentences(own)), dice):
            for kind, mutate in (HARMLESS | HARMFUL | DOUBTS).items():
                answer = mutate(sentence, dice)
                if answer is None:
                    continue
                totals[kind] += 1
                verified = verify(answer, evidences)
                if not _as_it_should(kind, verified):
                    wrong[kind].append((answer, verified))
    seconds = time.process_time() - started
    report(totals, wrong, seconds)
    for answer, verified in wrong.get(options.show, []):
        print(
            json.dumps(
                {"answer": answer, "left": verified.text, "removed": [r.as_json() for r in verified.removed]},
                ensure_ascii=False,
            )
        )


def _as_it_should(kind: str, verified: Verified) -> bool:
    if kind in HARMLESS:
        return not verified.removed and bool(verified.text)
    if kind in DOUBTS:
        return not verified.text or bool(verified.flagged)
    return bool(verified.removed) and "vote em" not in verified.text and (kind == "advice put in" or not verified.text)


def report(totals: Counter[str], wrong: dict[str, list[tuple[str, Verified]]], seconds: float) -> None:
    print("| answer | sentences | kept | removed |\n|---|---|---|---|")
    for kind, total in totals.items():
        right = total - len(wrong[kind])
        share = f"{100 * right / total:.1f} %"
        print(f"| {kind} | {total} | {share if kind in HARMLESS else ''} | {share if kind not in HARMLESS else ''} |")
    reasons = Counter((kind, item.reason) for kind in HARMLESS for _, v in wrong[kind] for item in v.removed)
    print(f"\nlost by reason: {dict(reasons)}")
    print(
        f"{1000 * seconds / sum(totals.values()):.2f} ms CPU for an answer of one sentence over two passages of 2,800 characters"
    )


if __name__ == "__main__":
    main()
