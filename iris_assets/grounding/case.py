"""A claim on trial, and what a check finds."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from iris_assets.grounding.evidence import Evidence, Owner
from iris_assets.grounding.form import Claim
from iris_assets.grounding.names import Mention, Register
from iris_assets.grounding.reading import Reading


@dataclass(frozen=True)
class Case:
    """A claim, the evidences that it cites, all evidences of the answer, and the candidate whom the context names."""

    claim: Claim
    cited: Sequence[Evidence]
    everyone: Sequence[Evidence]
    register: Register
    scope: Owner | None = None

    @cached_property
    def passages(self) -> list[Reading]:
        return [evidence.reading for evidence in self.cited]

    @cached_property
    def mentions(self) -> list[Mention]:
        """Candidates that the claim names, by positions of its comparable text."""
        return self.register.mentions(self.claim.view.text.title())

    def are_all(self, source_type: str) -> bool:
        """Whether the claim cites evidences of one type only."""
        return bool(self.cited) and all(evidence.source_type == source_type for evidence in self.cited)
