"""How near an extractor comes to gold texts: four-word shingles, precision, recall, F1 and bootstrap intervals."""

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from iris_assets.articles.blocks import map_blocks
from iris_assets.articles.configuration import read_config
from iris_assets.articles.contracts import Article
from iris_assets.articles.defects import HEADS, flagged
from iris_assets.articles.extraction import make_article
from iris_assets.articles.harness import deterministic
from iris_assets.articles.pages import decoded
from iris_assets.articles.text import shingles, words
from iris_assets.errors import ModelError, UsageError
from iris_assets.words.text import fold_any_script

SAMPLES: Final = 1000
CONSENSUS: Final = "consensus"
CLEANED: Final = "cleaned"
HELD: Final = 0.8  # share of a block's runs of words from which it stands in a text

PageScore = tuple[float, float, bool, bool]  # precision, recall, extracted something, gold has something


def page_score(extracted: str, gold: str) -> PageScore:
    """Precision and recall of one text against the gold one."""
    found, wanted = shingles(extracted), shingles(gold)
    shared = (found & wanted).total()
    precision = shared / found.total() if found else 0.0
    recall = shared / wanted.total() if wanted else 0.0
    return precision, recall, bool(found), bool(wanted)


def averages(scores: Sequence[PageScore]) -> dict[str, float]:
    """Mean precision over extracted pages, mean recall over gold pages, F1 of the two."""
    precisions = [score[0] for score in scores if score[2]]
    recalls = [score[1] for score in scores if score[3]]
    precision = sum(precisions) / len(precisions) if precisions else 0.0
    recall = sum(recalls) / len(recalls) if recalls else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"F1": f1, "precision": precision, "recall": recall}


def interval(scores: Sequence[PageScore], samples: int = SAMPLES) -> tuple[float, float]:
    """95 % bootstrap interval of F1, the same at every run."""
    chance = random.Random(20260101)
    values = sorted(averages(chance.choices(scores, k=len(scores)))["F1"] for _ in range(samples))
    return values[int(samples * 0.025)], values[int(samples * 0.975) - 1]


def read_pages(folder: Path) -> list[tuple[str, str, str, str]]:
    """(id, html, url, gold text) of a folder with `ground-truth.json` and `html/<id>.html.gz`."""
    truth = folder / "ground-truth.json"
    if not truth.is_file():
        raise UsageError(
            "EVALUATION_FOLDER_INVALID", f"no ground-truth.json in {folder}", hint="give a folder of that layout"
        )
    gold: dict[str, dict[str, str]] = json.loads(truth.read_text("utf-8"))
    return [
        (key, _page(folder / "html" / f"{key}.html.gz"), entry.get("url") or "", entry.get("articleBody") or "")
        for key, entry in sorted(gold.items())
    ]


def _page(path: Path) -> str:
    with gzip.open(path, "rb") as file:
        return decoded(file.read())


def evaluate_folder(folder: Path) -> dict[str, Any]:
    """`evaluate` over a folder in the layout of `read_pages`. Raises UsageError EVALUATION_FOLDER_INVALID."""
    return evaluate((make_article(html, url), gold) for _, html, url, gold in read_pages(folder))


def evaluate(pages: Iterable[tuple[Article, str]]) -> dict[str, Any]:
    """{"pages", "F1", "precision", "recall", "by_extractor", "low_agreement_share"} with intervals of F1, and "blocks":
    the same figures by blocks for the cleaned article (deterministic) beside the consensus and each extractor.
    """
    texts: dict[str, list[PageScore]] = {}
    blocks: dict[str, list[PageScore]] = {}
    count = low = 0
    for article, gold in pages:
        count, low = count + 1, low + article.low_agreement
        bodies = {name: extraction.text or "" for name, extraction in article.extractions.items()}
        for name, text in {**bodies, CONSENSUS: bodies[article.selected_extractor]}.items():
            texts.setdefault(name, []).append(page_score(text, gold))
        for name, found in _outputs(article).items():
            blocks.setdefault(name, []).append(block_score(found, gold))
    return _report(texts, blocks, low, count)


def _outputs(article: Article) -> dict[str, list[str]]:
    """The body blocks of each extractor, of the consensus, and of the cleaned article."""
    known = flagged(map_blocks(article))
    found: dict[str, list[str]] = {name: [] for name in article.extractions}
    for block in (*known.selected, *known.others):
        if block.type not in (*HEADS, "image"):
            found[block.extractor].append(block.text)
    try:
        cleaned = deterministic(known, read_config().thresholds)
    except ModelError:
        body = []  # refused: nothing is shown, and nothing counts as found
    else:
        body = [block.text for block in cleaned.body if block.type != "image"]
    return {**found, CONSENSUS: found[article.selected_extractor], CLEANED: body}


def block_score(found: Sequence[str], gold: str) -> PageScore:
    """Precision: the words of the blocks that stand in the gold text; recall: those of its lines that stand in them."""
    lines = [line for line in gold.splitlines() if words(line)]
    precision = _held(found, shingles(fold_any_script(gold)))
    recall = _held(lines, shingles(fold_any_script(" ".join(found))))
    return precision, recall, bool(found), bool(lines)


def _held(pieces: Sequence[str], bag: Counter[tuple[str, ...]]) -> float:
    """The share of the pieces, by words, whose runs of words mostly stand in the bag."""
    total = held = 0
    for piece in pieces:
        own = shingles(fold_any_script(piece))
        size = len(words(piece))
        total += size
        held += size if own and (own & bag).total() >= HELD * own.total() else 0
    return held / total if total else 0.0


def _report(
    texts: Mapping[str, Sequence[PageScore]], blocks: Mapping[str, Sequence[PageScore]], low: int, pages: int
) -> dict[str, Any]:
    table = {name: _row(rows) for name, rows in texts.items()}
    whole = table.pop(CONSENSUS, {"F1": 0.0, "precision": 0.0, "recall": 0.0})
    share = round(low / pages, 6) if pages else 0.0
    by_blocks = {name: _row(rows) for name, rows in blocks.items()}
    return {"pages": pages, **whole, "by_extractor": table, "low_agreement_share": share, "blocks": by_blocks}


def _row(rows: Sequence[PageScore]) -> dict[str, Any]:
    rounded: dict[str, Any] = {name: round(value, 6) for name, value in averages(rows).items()}
    rounded["interval"] = [round(value, 6) for value in interval(rows)]
    return rounded
