"""How near an extractor comes to gold texts: four-word shingles, precision, recall, F1 and bootstrap intervals."""

import gzip
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from iris_assets.articles.extraction import LOW_AGREEMENT, extract, select
from iris_assets.articles.pages import decoded
from iris_assets.articles.text import shingles
from iris_assets.errors import UsageError

SAMPLES: Final = 1000
CONSENSUS: Final = "consensus"

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
    """{"pages", "F1", "precision", "recall", "by_extractor", "low_agreement_share"} with intervals of F1."""
    scores: dict[str, list[PageScore]] = {}
    low = 0
    pages = read_pages(folder)
    for _, html, url, gold in pages:
        texts = {name: found.text or "" for name, found in extract(html, url)[0].items()}
        best, agreed = select(texts)
        low += agreed[best] < LOW_AGREEMENT
        for name, text in {**texts, CONSENSUS: texts[best]}.items():
            scores.setdefault(name, []).append(page_score(text, gold))
    return _report(scores, low, len(pages))


def _report(scores: Mapping[str, Sequence[PageScore]], low: int, pages: int) -> dict[str, Any]:
    table = {name: _row(rows) for name, rows in scores.items()}
    whole = table.pop(CONSENSUS, {"F1": 0.0, "precision": 0.0, "recall": 0.0})
    share = round(low / pages, 6) if pages else 0.0
    return {"pages": pages, **whole, "by_extractor": table, "low_agreement_share": share}


def _row(rows: Sequence[PageScore]) -> dict[str, Any]:
    rounded: dict[str, Any] = {name: round(value, 6) for name, value in averages(rows).items()}
    rounded["interval"] = [round(value, 6) for value in interval(rows)]
    return rounded
