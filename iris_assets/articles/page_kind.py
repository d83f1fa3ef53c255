"""What kind of page was read and whether its text is whole: from JSON-LD, the page's own words and its pictures."""

from collections.abc import Iterator, Sequence
from html import unescape
from typing import Any, Final

from iris_assets.articles.contracts import PageKind
from iris_assets.articles.dom import dom, dom_text
from iris_assets.articles.text import words
from iris_assets.words.press import press_words
from iris_assets.words.text import fold_any_script

DEPTH: Final = 8
WHOLE: Final = 0.7  # share of the declared words from which a text counts as whole
GATED_WORDS: Final = 400  # words up to which a page that asks for a subscription shows a beginning
NOTICE_WORDS: Final = 40
PICTURES: Final = 8  # pictures from which a page with few words for each is a gallery
WORDS_A_PICTURE: Final = 30
# schema.org type → kind; a type that is none of these says nothing.
KINDS: Final[dict[str, PageKind]] = {
    **dict.fromkeys(("article", "newsarticle", "reportagenewsarticle", "opinionnewsarticle", "analysisnewsarticle",
                     "backgroundnewsarticle", "reviewnewsarticle", "blogposting", "report"), "article"),
    "liveblogposting": "live_blog",
    **dict.fromkeys(("imagegallery", "mediagallery"), "gallery"),
    **dict.fromkeys(("product", "productgroup", "offer"), "product"),
    **dict.fromkeys(("discussionforumposting", "qapage", "question"), "forum"),
    **dict.fromkeys(("collectionpage", "searchresultspage", "itemlist"), "listing"),
}  # fmt: skip
ORDER: Final[tuple[PageKind, ...]] = ("live_blog", "article", "gallery", "forum", "product", "listing")


def kind_of(page: Any, data: Sequence[Any], text: str, images: int) -> PageKind:
    """The kind that the page declares (a live blog and an article before the lists beside them), else by its form."""
    declared = {KINDS[name] for node in _nodes(list(data)) for name in _types(node) if name in KINDS}
    if any(node.get("liveBlogUpdate") for node in _nodes(list(data))):
        declared.add("live_blog")
    pictured = images >= PICTURES and len(words(text)) < WORDS_A_PICTURE * images
    if pictured and declared <= {"article", "gallery"}:
        return "gallery"
    meta = _declared_by_meta(page)
    return next((kind for kind in ORDER if kind in declared), meta or "unknown")


def partial_reason(page: Any, data: Sequence[Any], text: str, kind: PageKind) -> str | None:
    """Why the text is not the whole article: PAYWALL, SHORTER_THAN_DECLARED, SUBSCRIPTION_ASKED, LIVE_BLOG, GALLERY."""
    size = len(words(text))
    declared = max((_declared_words(node) for node in _nodes(list(data))), default=0)
    if kind in ("live_blog", "gallery"):
        return kind.upper()
    if declared and size < WHOLE * declared:
        return "PAYWALL" if _is_gated(data) else "SHORTER_THAN_DECLARED"
    if not declared and _is_gated(data):
        return "PAYWALL"
    if not declared and size < GATED_WORDS and _asks_for_subscription(page):
        return "SUBSCRIPTION_ASKED"
    return None


def _is_gated(data: Sequence[Any]) -> bool:
    return any(
        str(node.get("isAccessibleForFree", "")).strip().lower() in ("false", "0", "no") for node in _nodes(list(data))
    )


def _declared_words(node: dict[str, Any]) -> int:
    """Words that an article node says its body has."""
    if not {KINDS.get(name) for name in _types(node)} & {"article"}:
        return 0
    body = node.get("articleBody")
    count = str(node.get("wordCount") or "").strip()
    return max(len(words(_plain(body))) if isinstance(body, str) else 0, int(count) if count.isdecimal() else 0)


def _plain(body: str) -> str:
    """The text of a declared body, which pages write as text, as HTML, or as HTML escaped once more."""
    text = unescape(unescape(body))
    return dom_text(dom(text)) if "<" in text else text


def _nodes(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """Every object in JSON-LD, not deeper than a page of good faith nests them."""
    if depth > DEPTH:
        return
    if isinstance(value, dict):
        yield value
        value = [item for key, item in value.items() if key != "isPartOf"]
    if isinstance(value, list):
        for item in value:
            yield from _nodes(item, depth + 1)


def _types(node: dict[str, Any]) -> list[str]:
    told = node.get("@type")
    every = told if isinstance(told, list) else [told]
    return [item.rpartition("/")[2].lower() for item in every if isinstance(item, str)]


def _declared_by_meta(page: Any) -> PageKind | None:
    for meta in page.iter("meta"):
        if (meta.get("property") or meta.get("name") or "").lower() == "og:type":
            told = (meta.get("content") or "").strip().lower()
            return "article" if told == "article" else "product" if told.startswith("product") else None
    return None


def _asks_for_subscription(page: Any) -> bool:
    """A short block that asks to subscribe in order to read on (not a newsletter's box, which promises no text)."""
    asks, reads = (
        tuple(fold_any_script(stem) for stem in stems) for stems in (press_words().subscribe, press_words().read_on)
    )
    for line in dom_text(page).split("\n\n"):
        keys = [fold_any_script(word) for word in words(line)]
        if (
            len(keys) <= NOTICE_WORDS
            and any(key.startswith(asks) for key in keys)
            and any(key.startswith(reads) for key in keys)
        ):
            return True
    return False
