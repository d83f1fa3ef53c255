"""One page read by three kept libraries; the output that agrees most with the two others is selected."""

import warnings
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

from iris_assets.articles.contracts import Article, Extraction
from iris_assets.articles.dom import absolute_links, dom, dom_text, inner_html, json_ld
from iris_assets.articles.page_kind import kind_of, partial_reason
from iris_assets.articles.text import jaccard, shingles

LOW_AGREEMENT: Final = 0.86  # below it every page of the golden set has an extractor that fails (calibration.json)


def _trafilatura(html: str, url: str) -> Extraction:
    import trafilatura

    document: Any = trafilatura.bare_extraction(html, url=url, with_metadata=True)
    if document is None:
        return Extraction()
    found = document.as_dict()
    return Extraction(
        title=found.get("title"),
        subtitle=found.get("description"),
        author=found.get("author"),
        published_at=found.get("date"),
        text=found.get("text") or None,
    )


def _newspaper(html: str, url: str) -> Extraction:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about nltk, which only its summaries need
        import newspaper

        article = newspaper.Article(url, fetch_images=False)
        article.download(input_html=html)
        article.parse()
    published = article.publish_date
    return Extraction(
        title=article.title or None,
        author=", ".join(article.authors) or None,
        published_at=str(published.isoformat() if hasattr(published, "isoformat") else published)
        if published
        else None,
        text=article.text or None,
        images=(article.top_image,) if article.top_image else (),
    )


def _readability(html: str, url: str) -> Extraction:
    import readability

    document = readability.Document(html, url=url)
    root = dom(document.summary(html_partial=True))
    text = dom_text(root)
    images, links = absolute_links(root, url)
    return Extraction(
        title=document.short_title() or None,
        html=inner_html(root) if text else None,
        text=text or None,
        images=images,
        links=links,
    )


Libraries = Mapping[str, Callable[[str, str], Extraction]]

LIBRARIES: Final[Libraries] = {
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper,
    "readability": _readability,
}


def extract(html: str, url: str, libraries: Libraries = LIBRARIES) -> tuple[dict[str, Extraction], list[str]]:
    """What each library read, and the names of those that failed (theirs is empty: the others go on)."""
    found, failed = {}, []
    for name, library in libraries.items():
        try:
            found[name] = library(html, url)
        except Exception:  # noqa: BLE001 - the border to foreign parsers, reported as a degraded extractor
            found[name] = Extraction()
            failed.append(name)
    return found, failed


def agreement(texts: Mapping[str, str]) -> dict[str, float]:
    """For each name the mean likeness (Jaccard of runs of four words) to the others that found something."""
    bags = {name: shingles(text) for name, text in texts.items()}
    filled = [name for name, bag in bags.items() if bag]
    scores = dict.fromkeys(bags, 0.0)
    for name in filled:
        others = [jaccard(bags[name], bags[other]) for other in filled if other != name]
        scores[name] = sum(others) / len(others) if others else 0.0
    return scores


def select(texts: Mapping[str, str]) -> tuple[str, dict[str, float]]:
    """The name that agrees most (ties: a text before none, then the given order), and all scores."""
    scores = agreement(texts)
    best = max(texts, key=lambda name: (scores[name], bool(texts[name].strip()), -list(texts).index(name)))
    return best, scores


def make_article(
    html: str, url: str, fetched_at: datetime | None = None, *, libraries: Libraries = LIBRARIES
) -> Article:
    """The article object of a page. An extractor that failed or found nothing marks low agreement."""
    extractions, failed = extract(html, url, libraries)
    name, scores = select({key: value.text or "" for key, value in extractions.items()})
    page = dom(html)
    read, chosen = dict(extractions), extractions[name]
    images, links = absolute_links(page, url)
    data = json_ld(page)
    extractions[name] = chosen.model_copy(
        update={"images": chosen.images or images, "links": chosen.links or links, "json_ld": data}
    )
    empty = [key for key, value in extractions.items() if not (value.text or "").strip()]
    text = chosen.text or ""
    pictures = max(len(found.images) for found in read.values())
    kind = kind_of(page, data, text, pictures)
    return Article(
        page_kind=kind,
        partial_reason=partial_reason(page, data, text, kind),
        article_id=sha256(url.encode()).hexdigest()[:32],
        url=url,
        fetched_at=(fetched_at or datetime.now(UTC)).isoformat(),
        language=_language(page),
        selected_extractor=name,
        extractions=extractions,
        agreement={key: round(score, 6) for key, score in scores.items()},
        low_agreement=scores[name] < LOW_AGREEMENT or bool(failed or empty),
    )


def _language(page: Any) -> str | None:
    value = page.get("lang") if page is not None else None
    return str(value)[:20] if value else None
