"""Claims over real plans, bills and histories, written by people who did not know the verifier's rules.

`claims/dev` may be looked at; of `claims/heldout` only figures are read: never a sentence, but they chose between designs.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from iris_assets_tests.grounding.claim_world import ClaimWorld, judged, read_claims

pytestmark = [pytest.mark.real_data, pytest.mark.slow, pytest.mark.timeout(900)]

CLAIMS = Path(__file__).parent / "claims"
RIGHT = {"kept": {"kept"}, "removed": {"removed"}, "removed or doubted": {"removed", "doubted"}}
# (caught of the wrong, removed of the hard, lost of the faithful, doubted of the faithful) in per cent.
FLOORS = {"dev": (87, 94, 3, 21), "heldout": (88, 86, 3, 19)}


def figures(world: ClaimWorld, claims: Iterable[dict[str, Any]]) -> tuple[float, float, float, float]:
    counts: Counter[tuple[str, str]] = Counter((claim["expected"], judged(world.check(claim))) for claim in claims)
    of = {expected: sum(n for (kind, _), n in counts.items() if kind == expected) for expected in RIGHT}
    wrong = of["removed"] + of["removed or doubted"]
    caught = wrong - sum(counts[expected, "kept"] for expected in ("removed", "removed or doubted"))
    return (
        100 * caught / wrong,
        100 * counts["removed", "removed"] / of["removed"],
        100 * counts["kept", "removed"] / of["kept"],
        100 * counts["kept", "doubted"] / of["kept"],
    )


@pytest.mark.parametrize("part", FLOORS)
def test_the_figures_hold(claim_world: ClaimWorld, part: str) -> None:
    claims = [claim for file in sorted((CLAIMS / part).glob("*.jsonl")) for claim in read_claims(file)]
    found, (caught, removed, lost, doubted) = figures(claim_world, claims), FLOORS[part]
    assert found[0] >= caught and found[1] >= removed and found[2] <= lost and found[3] <= doubted, found


def test_every_sentence_of_the_given_third_is_right(claim_world: ClaimWorld, shared_data: Path) -> None:
    claims = list(read_claims(shared_data / "questions" / "unsupported_sample.jsonl"))
    wrong = [c["sentence"] for c in claims if judged(claim_world.check(c)) not in RIGHT[c["expected"]]]
    assert len(claims) == 47 and wrong == []
