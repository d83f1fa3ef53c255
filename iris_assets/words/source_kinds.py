"""The kinds of sources that answers draw on: names, Portuguese labels, aliases, and which are official.

A new kind is one entry here, one in each of the tables that bind modules to these names (`ingest.source_loaders`: how
it is loaded and made into text; `store.tables.retirement`: how its records go; `retrieval.records`: what its records
say), and its own modules. A test holds the tables against this list.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from iris_assets.words.text import fold

PROPOSITION: Final = "PROPOSITION"
GOVERNMENT_PROPOSAL: Final = "GOVERNMENT_PROPOSAL"
POLITICAL_HISTORY: Final = "POLITICAL_HISTORY"
NEWS_ARTICLE: Final = "NEWS_ARTICLE"


@dataclass(frozen=True, slots=True)
class SourceKind:
    """`label`: what end users read; `aliases`: what they may write; `official`: an authority published it."""

    name: str
    label: str
    aliases: tuple[str, ...]
    official: bool = True


SOURCE_KINDS: Final = (
    SourceKind(PROPOSITION, "Proposição", ("proposição", "proposições", "projeto", "projetos")),
    SourceKind(
        GOVERNMENT_PROPOSAL,
        "Plano de governo",
        ("plano de governo", "plano governo", "proposta de governo", "proposta governo"),
    ),
    SourceKind(POLITICAL_HISTORY, "Histórico político", ("histórico político", "histórico")),
    SourceKind(NEWS_ARTICLE, "Notícia (fonte não oficial)", ("notícia", "notícias"), official=False),
)
SOURCE_TYPES: Final = tuple(kind.name for kind in SOURCE_KINDS)
OFFICIAL_TYPES: Final = tuple(kind.name for kind in SOURCE_KINDS if kind.official)

# What an answer cites beside sources: exact counts, and a candidate's registration itself.
TOPIC_AGGREGATE: Final = "PROPOSITION_TOPIC_AGGREGATE"
CANDIDATE_RECORD: Final = "CANDIDATE"


def source_kind_of(text: str) -> SourceKind | None:
    """The kind that a name or alias stands for, in any case and with or without accents; None for any other."""
    return _spelled().get(fold(text))


@cache
def _spelled() -> dict[str, SourceKind]:
    return {fold(spelling): kind for kind in SOURCE_KINDS for spelling in (kind.name, *kind.aliases)}
