"""What searches take and return, and the ranking that no engine is needed for."""

from iris_assets.store.search.contract import (
    MOST_VALUES,
    Health,
    LexicalHit,
    LexicalQuery,
    PreparedText,
    SearchFilter,
    VectorHit,
    filter_token,
    filter_tokens,
)

__all__ = [
    "MOST_VALUES",
    "Health",
    "LexicalHit",
    "LexicalQuery",
    "PreparedText",
    "SearchFilter",
    "VectorHit",
    "filter_token",
    "filter_tokens",
]
