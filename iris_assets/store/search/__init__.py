"""What searches take and return, and the ranking that no engine is needed for."""

from iris_assets.store.search.contract import (
    Health,
    LexicalHit,
    LexicalQuery,
    PreparedText,
    SearchFilter,
    VectorHit,
    filter_token,
    filter_tokens,
    require_bearable,
)

__all__ = [
    "Health",
    "LexicalHit",
    "LexicalQuery",
    "PreparedText",
    "SearchFilter",
    "VectorHit",
    "filter_token",
    "filter_tokens",
    "require_bearable",
]
