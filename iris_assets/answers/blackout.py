"""Periods in which nothing is generated and only quotations are served (GENERATION_BLACKOUT)."""

import re
from datetime import date

from iris_assets.errors import ConfigurationError
from iris_assets.words.messages import notice

BLACKOUT_NOTICE = notice("BLACKOUT")
Period = tuple[date, date]


def parse_blackout(text: str) -> list[Period]:
    """`2026-10-01..2026-10-05,2026-10-25` → (first, last) pairs, both days included.

    ConfigurationError BLACKOUT_INVALID for anything else.
    """
    return [_period(part.strip()) for part in text.split(",") if part.strip()]


def is_blackout(periods: list[Period], day: date) -> bool:
    """Whether `day` lies in one of the periods."""
    return any(first <= day <= last for first, last in periods)


def _period(part: str) -> Period:
    ends = re.split(r"\s*(?:\.\.|/|:| a | to )\s*", part)
    try:
        days = [date.fromisoformat(end) for end in ends]
    except ValueError:
        days = []
    if len(days) not in (1, 2) or days[0] > days[-1]:
        raise ConfigurationError(
            "BLACKOUT_INVALID",
            f"GENERATION_BLACKOUT: {part} is no period",
            hint="write 2026-10-01..2026-10-05, several with commas",
        )
    return days[0], days[-1]
