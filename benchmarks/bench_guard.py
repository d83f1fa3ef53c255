"""The homonym guard on every candidate of a store: `python benchmarks/bench_guard.py URL EVERY [TEXTS.jsonl]` prints JSON.

EVERY: each how many-th candidate is taken.
`symmetry`: the share of (candidate, spelling of the party) with the expected side, per form of introduction and overall.
`written`: the same on texts of people ({"text", "about": {"tse_id"}, "expected": "approve|reject", "why"} a line).
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from iris_assets.articles.guard.decision import judge
from iris_assets.articles.profile import build_profile
from iris_assets.store import Store, open_store
from iris_assets_tests.articles.introductions import texts


def symmetry(store: Store, every: int) -> dict[str, Any]:
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    wrong: dict[str, list[str]] = {}
    for row in store.candidates.list(columns=("tse_id", "election_year"))[::every]:
        profile = build_profile(store, str(row["tse_id"]))
        for expected, form, paragraphs in texts(profile):
            key = f"{expected}: {form}"
            found = judge(profile, paragraphs)
            asked[key] += 1
            if (found.verdict == "APPROVE") == (expected == "approve"):
                right[key] += 1
            else:
                wrong.setdefault(key, []).append(f"{paragraphs[0]} | {found.code} {found.explanation}")
    forms = {key: round(right[key] / asked[key], 4) for key in asked}
    shown = {key: found[:3] for key, found in wrong.items()}
    return {"texts": asked.total(), "share": round(right.total() / asked.total(), 5), "forms": forms, "wrong": shown}


def written(store: Store, lines: Iterable[str]) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    for line in lines:
        item = json.loads(line)
        profile = build_profile(store, item["about"]["tse_id"])
        found = judge(profile, [part for part in item["text"].split("\n") if part.strip()])
        counts[f"{item['expected']}: {found.verdict}"] += 1
    return dict(counts)


if __name__ == "__main__":
    opened = open_store(sys.argv[1])
    result: dict[str, Any] = {"symmetry": symmetry(opened, int(sys.argv[2]))}
    if len(sys.argv) > 3:
        result["written"] = written(opened, Path(sys.argv[3]).read_text("utf-8").splitlines())
    print(json.dumps(result, ensure_ascii=False, indent=1))
