"""The neutral order of candidates: by ballot name without accents and punctuation, whatever any score says.

The store pages by this order and every answer, page and list prints in it.
"""

from iris_assets.words.text import fold

NeutralKey = tuple[str, str, str, int]


def neutral_key(ballot_name: str | None, name: str, tse_id: str, year: int) -> NeutralKey:
    """Ballot name (else civil name), civil name, TSE id, year: total and public."""
    return fold(ballot_name or name), fold(name), tse_id, year
