"""Sentences checked against the evidence that they cite: `verify(answer, evidences)` and what it is made of."""

from iris_assets.grounding.evidence import Evidence, Owner
from iris_assets.grounding.verifier import Citation, Removed, Verified, verify

__all__ = ["Citation", "Evidence", "Owner", "Removed", "Verified", "verify"]
