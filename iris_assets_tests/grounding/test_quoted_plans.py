"""Sentences of real plans, quoted as they stand after words of telling: nearly all are kept without a doubt."""

import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.grounding import Evidence, Owner, verify
from iris_assets.grounding.layout import split_sentences

pytestmark = [pytest.mark.real_data, pytest.mark.slow, pytest.mark.timeout(300)]

TELLING = (
    "Segundo o plano, {}", "O plano prevê: {}", "De acordo com o plano de Ana Souza, {}", "Ana Souza propõe: {}",
    "O plano de governo afirma: {}", "Conforme o documento, {}",
)  # fmt: skip
ANA = Owner("1", ("ANA SOUZA", "ANA MARIA SOUZA"))
WANTED = 5_000


def passages(file: Path, dice: random.Random) -> Iterator[str]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    long = [text for text in texts if len(text) > 6000]
    while True:
        text = dice.choice(long)
        at = dice.randrange(len(text) - 2900)
        yield text[at : at + 2800]


def whole_sentences(passage: str) -> list[str]:
    """Sentences that begin with a capital and end with a full stop, within one paragraph of the passage."""
    found = [
        " ".join(sentence.split())
        for paragraph in re.split(r"\n\s*\n", passage)[1:-1]
        for sentence in split_sentences(paragraph)
        if sentence[0].isupper() and sentence.endswith(".")
    ]
    return [one for one in found if 40 <= len(one) <= 400 and re.search(r"[a-zà-ú]{4,} [a-zà-ú]{2,}", one)]


def test_quoted_sentences_are_kept_without_doubt(shared_data: Path) -> None:
    dice = random.Random(16)
    said, wrong = 0, []
    for passage in passages(shared_data / "plans_2020" / "plans.jsonl.gz", dice):
        evidence = Evidence("E1", passage, "Plano de governo de ANA SOUZA", "GOVERNMENT_PROPOSAL", owners=(ANA,))
        for sentence in whole_sentences(passage):
            verified = verify(f"{dice.choice(TELLING).format(sentence.rstrip(' .'))} [E1].", [evidence])
            said += 1
            wrong += (*verified.removed, *verified.flagged)[:1]
        if said >= WANTED:
            break
    assert len(wrong) <= WANTED // 200, [(item.text, item.reason, item.detail) for item in wrong]
