"""The citation verifier over written claims: caught, removed, lost and doubted per kind, with 95 % intervals.

python benchmarks/bench_claims.py CLAIMS.jsonl … --data 2022=DIR --data 2026=DIR

DIR: the data folders of runs over the offline copies, as `iris_assets_tests/grounding/conftest.py` makes them.
"""

import argparse
import math
from collections import Counter
from pathlib import Path

from iris_assets.settings import load_settings
from iris_assets.store import open_store
from iris_assets_tests.grounding.claim_world import ClaimWorld, judged, read_claims

RIGHT = {"kept": ("kept",), "removed": ("removed",), "removed or doubted": ("removed", "doubted")}


def interval(hits: int, of: int) -> str:
    """Share and Wilson interval in per cent."""
    if not of:
        return "–"
    share, z = hits / of, 1.96
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return f"{100 * share:.0f} % ({100 * (middle - half):.0f}–{100 * (middle + half):.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("claims", type=Path, nargs="+")
    parser.add_argument("--data", action="append", default=[], help="YEAR=FOLDER")
    options = parser.parse_args()
    folders = dict(item.split("=", 1) for item in options.data)
    stores = {
        int(year): open_store(load_settings({}, iris_assets_data=Path(folder)).store_url)
        for year, folder in folders.items()
    }
    world = ClaimWorld(stores)
    found: Counter[tuple[str, str, str]] = Counter()
    for file in options.claims:
        for claim in read_claims(file):
            found[claim["kind"], claim["expected"], judged(world.check(claim))] += 1
    report(found)


def report(found: Counter[tuple[str, str, str]]) -> None:
    print("| kind | claims | right | removed | doubted | kept |\n|---|---|---|---|---|---|")
    for kind in sorted({kind for kind, _, _ in found}):
        own = {key: n for key, n in found.items() if key[0] == kind}
        total = sum(own.values())
        right = sum(n for (_, expected, verdict), n in own.items() if verdict in RIGHT[expected])
        verdicts = [
            sum(n for (_, _, v), n in own.items() if v == verdict) for verdict in ("removed", "doubted", "kept")
        ]
        print(f"| {kind} | {total} | {interval(right, total)} | " + " | ".join(map(str, verdicts)) + " |")
    faithful, wrong = (Counter[str](), Counter[str]())
    for (_, expected, verdict), n in found.items():
        (faithful if expected == "kept" else wrong)[verdict] += n
    hard = {verdict: n for (_, expected, verdict), n in found.items() if expected == "removed"}
    hard = Counter({v: sum(n for (_, e, w), n in found.items() if e == "removed" and w == v) for v in hard})
    shown, plain = wrong["kept"] + wrong["doubted"], wrong["kept"]
    print(f"\nwrong: caught {interval(wrong.total() - wrong['kept'], wrong.total())}")
    print(f"hard kinds: removed {interval(hard['removed'], hard.total())}")
    print(f"faithful: lost {interval(faithful['removed'], faithful.total())}")
    print(f"faithful: doubted {interval(faithful['doubted'], faithful.total())}")
    kept = faithful["kept"] + faithful["doubted"]
    print(f"support of what is shown: {interval(kept, kept + shown)}; of what is shown without a doubt: "
          f"{interval(faithful['kept'], faithful['kept'] + plain)}; faithful shown: {interval(kept, faithful.total())}")  # fmt: skip


if __name__ == "__main__":
    main()
