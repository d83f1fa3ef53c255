"""What a check finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a claim goes or is doubted: a stable reason code, and what exactly was not found, in Portuguese."""

    reason: str
    detail: str
    goes: bool = True
