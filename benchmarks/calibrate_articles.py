"""The runtime's thresholds measured on gold texts; prints JSON, `--write` stores it beside the thresholds.

`python benchmarks/calibrate_articles.py ../shared/data [--write]`: pages with gold bodies give true selections (blocks
that stand in the gold text), their halves give false ones; gold words split or glued give true and false repairs.
"""

import hashlib
import json
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

from iris_assets.articles.blocks import Block, BlockMap, map_blocks
from iris_assets.articles.configuration import Thresholds, read_config
from iris_assets.articles.contracts import Repair
from iris_assets.articles.defects import HEADS, flagged
from iris_assets.articles.evaluation import read_pages
from iris_assets.articles.extraction import LOW_AGREEMENT, make_article
from iris_assets.articles.harness import kept_share
from iris_assets.articles.publishing import NEAR_DUPLICATE
from iris_assets.articles.repairs import Attested, repair_problem
from iris_assets.articles.text import jaccard, shingles, words
from iris_assets.words.text import fold_any_script

STORED = Path(__file__).parents[1] / "iris_assets" / "articles" / "calibration.json"
Case = tuple[str, BlockMap, Any]  # gold body, blocks, article


def cases(folder: Path) -> list[Case]:
    found = []
    for _, html, url, gold in read_pages(folder):
        article = make_article(html, url)
        found.append((gold, flagged(map_blocks(article)), article))
    return [case for case in found if case[0].strip()]


def true_selection(gold: str, blocks: BlockMap) -> list[Block]:
    bag = shingles(fold_any_script(gold))
    body = [block for block in blocks.selected if block.type not in (*HEADS, "image")]
    return [b for b in body if (own := shingles(fold_any_script(b.text))) and (own & bag).total() >= 0.8 * own.total()]


def share(values: Sequence[bool]) -> float:
    return round(sum(values) / len(values), 3)


def kept_shares(found: Sequence[Case], limit: float) -> dict[str, Any]:
    true = [kept_share(true_selection(gold, blocks), blocks) for gold, blocks, _ in found]
    halves = []
    for gold, blocks, _ in found:
        chosen = true_selection(gold, blocks)
        if len(chosen) > 3:
            halves.append(kept_share(chosen[: len(chosen) // 2], blocks))
    return {"true_accepted": share([v >= limit for v in true]), "halves_refused": share([v < limit for v in halves])}


def _split(word: str, chance: random.Random) -> str:
    place = chance.randrange(1, len(word))
    return f"{word[:place]} {word[place:]}"


def _damaged(blocks: BlockMap, chance: random.Random) -> Iterator[tuple[BlockMap, Repair]]:
    """One selected block with a word split in two, and the repair that a truthful model would propose."""
    body = [block for block in blocks.selected if block.type == "paragraph" and len(words(block.text)) > 10]
    for index in chance.sample(range(len(body)), min(4, len(body))):
        block = body[index]
        plain = [w for w in block.text.split() if w.isalpha() and w.islower() and len(w) > 1]
        plain = [w for w in plain if block.text.count(w) == 1]
        if not plain:
            continue
        word = chance.choice(plain)
        bad = _split(word, chance)
        broken = Block(block.id, block.type, block.extractor, block.field, block.text.replace(word, bad), block.order,
                       equivalences=block.equivalences)  # fmt: skip
        selected = tuple(broken if own.id == block.id else own for own in blocks.selected)
        yield BlockMap(selected, blocks.others), Repair(id=block.id, fragment=bad, replacement=word,
                                                        category="split_word", justification="x")  # fmt: skip


def _harmful(blocks: BlockMap, chance: random.Random) -> Iterator[Repair]:
    """Two words of a sound block glued together, or one split: white space only, and wrong."""
    body = [block for block in blocks.selected if block.type == "paragraph" and len(words(block.text)) > 10]
    for block in chance.sample(body, min(4, len(body))):
        found = [w for w in block.text.split() if w.isalpha() and w.islower() and len(w) > 3]
        pairs = [f"{a} {b}" for a, b in pairwise(found) if block.text.count(f"{a} {b}") == 1]
        single = [w for w in found if block.text.count(w) == 1]
        facts = {"id": block.id, "category": "split_word", "justification": "x"}
        if pairs:
            pair = chance.choice(pairs)
            yield Repair(fragment=pair, replacement=pair.replace(" ", ""), **facts)
        if single:
            word = chance.choice(single)
            yield Repair(fragment=word, replacement=_split(word, chance), **facts)
            yield Repair(fragment=word, replacement=" ".join(word), **facts)


def repairs(found: Sequence[Case], limits: Thresholds) -> dict[str, Any]:
    from rapidfuzz import fuzz

    chance = random.Random(20260101)
    good, likeness, bad, bad_by_likeness = [], [], [], []
    for _, blocks, _ in found:
        for damaged, repair in _damaged(blocks, chance):
            text = damaged.by_id[repair.id].text
            good.append(repair_problem(repair, text, Attested(damaged), limits) is None)
            likeness.append(fuzz.ratio(repair.fragment, repair.replacement))
        attested = Attested(blocks)
        for repair in _harmful(blocks, chance):
            bad.append(repair_problem(repair, blocks.by_id[repair.id].text, attested, limits) is None)
            bad_by_likeness.append(fuzz.ratio(repair.fragment, repair.replacement) >= limits.repair_similarity)
    likeness.sort()
    return {
        "true": len(good), "true_accepted": share(good), "least_likeness_of_a_true_one": round(likeness[0], 1),
        "harmful": len(bad), "harmful_accepted": share(bad), "harmful_that_likeness_alone_accepts": share(bad_by_likeness),
    }  # fmt: skip


def duplicates(found: Sequence[Case]) -> dict[str, Any]:
    same = []
    for _, _, article in found:
        bags = [shingles(fold_any_script(item.text or "")) for item in article.extractions.values()]
        same += [jaccard(left, right) for left, right in combinations(bags, 2) if left and right]
    bags = [shingles(fold_any_script(gold)) for gold, _, _ in found]
    other = sorted(jaccard(left, right) for left, right in combinations(bags, 2))
    return {"same_text_collapsed": share([v >= NEAR_DUPLICATE for v in same]), "different_texts": len(other),
            "different_collapsed": sum(v >= NEAR_DUPLICATE for v in other), "most_alike": round(other[-1], 3)}  # fmt: skip


def lengths(found: Sequence[Case], limit: int) -> dict[str, Any]:
    gold = [len(" ".join(text.split())) for text, _, _ in found]
    return {"shortest_gold_text": min(gold), "gold_texts_refused": sum(value < limit for value in gold)}


def low_agreement(found: Sequence[Case]) -> dict[str, Any]:
    """For several marks: the pages on which some extractor fails (F1 under 0.9), and how many of them are marked."""
    table: dict[str, Any] = {}
    for mark in (0.7, 0.78, LOW_AGREEMENT, 0.9, 0.95):
        rows = [
            (min(_f1(item.text or "", gold) for item in article.extractions.values()) < 0.9,
             article.agreement[article.selected_extractor] < mark)
            for gold, _, article in found
        ]  # fmt: skip
        table[str(mark)] = {"failures_marked": share([low for failed, low in rows if failed]),
                            "others_marked": share([low for failed, low in rows if not failed]),
                            "failures": sum(failed for failed, _ in rows)}  # fmt: skip
    return table


def _f1(text: str, gold: str) -> float:
    own, wanted = shingles(text), shingles(gold)
    return 2 * (own & wanted).total() / (own.total() + wanted.total())


def measure(folder: Path) -> dict[str, Any]:
    found, limits = cases(folder / "article_benchmark"), read_config().thresholds
    truth = (folder / "article_benchmark" / "ground-truth.json").read_bytes()
    return {
        "pages": len(found), "ground_truth_sha256": hashlib.sha256(truth).hexdigest(),
        "thresholds": {**limits.model_dump(), "near_duplicate": NEAR_DUPLICATE, "low_agreement": LOW_AGREEMENT},
        "minimum_characters": lengths(found, limits.minimum_characters),
        "minimum_kept_share": {
            str(limit): kept_shares(found, limit) for limit in (0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9)
        },
        "repair_similarity": repairs(found, limits),
        "near_duplicate": duplicates(found),
        "low_agreement": low_agreement(found),
    }  # fmt: skip


if __name__ == "__main__":
    result = json.dumps(measure(Path(sys.argv[1])), indent=1)
    print(result)
    if "--write" in sys.argv:
        STORED.write_text(result + "\n", "utf-8")
