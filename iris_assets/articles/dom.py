"""HTML by a DOM parser: text with paragraph breaks, links, pictures and the JSON-LD of a page."""

import json
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from lxml import etree, html

BLOCK_TAGS: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
SILENT_TAGS: Final = frozenset(
    ["script", "style", "noscript", "template", "head", "svg", "iframe", "object", "button", "select", "textarea"]
)


def dom(source: str) -> Any:
    """The root element of an HTML text; an empty document when nothing can be parsed."""
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=True)
    # The bytes carry the declaration away that lxml refuses in texts.
    data = source.encode("utf-8", "surrogatepass")
    try:
        root = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8", remove_comments=True))
    except (etree.ParserError, etree.XMLSyntaxError):
        return html.document_fromstring("<html><body></body></html>", parser=parser)
    return root


def tag_of(element: Any) -> str:
    """The lower-case tag, empty for comments and instructions."""
    return element.tag.lower() if isinstance(element.tag, str) else ""


def dom_text(root: Any) -> str:
    """The visible text: one line a block, blank lines dropped."""
    parts: list[str] = []
    _collect(root, parts)
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n\n"))
    return "\n\n".join(line for line in lines if line)


def _collect(element: Any, parts: list[str]) -> None:
    # A stack of its own: pages nest deeper than Python's recursion allows.
    stack: list[tuple[Any, bool]] = [(element, False)]
    while stack:
        node, closing = stack.pop()
        tag = tag_of(node)
        edge = "\n\n" if tag in BLOCK_TAGS else " " if tag == "br" else ""
        if closing:
            parts.append(edge + (node.tail or "" if node is not element else ""))
            continue
        stack.append((node, True))
        if not tag or tag in SILENT_TAGS:
            continue
        parts.append(edge + (node.text or ""))
        stack.extend((child, False) for child in reversed(node))


def absolute_links(root: Any, base: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(pictures, links) of an element as absolute http(s) URLs, each once, in order."""
    pictures = (node.get("src") or node.get("data-src") for node in root.iter("img"))
    anchors = (node.get("href") for node in root.iter("a"))
    return _urls(pictures, base), _urls(anchors, base)


def _urls(values: Any, base: str) -> tuple[str, ...]:
    found = (absolute(value, base) for value in values if value)
    return tuple(dict.fromkeys(url for url in found if url))


def absolute(value: str, base: str) -> str | None:
    """The absolute URL without fragment, None when it is not http(s) or cannot be read."""
    try:
        url = urljoin(base, value.strip())
        parts = urlsplit(url)
    except ValueError:
        return None
    return parts._replace(fragment="").geturl() if parts.scheme in ("http", "https") and parts.hostname else None


def inner_html(root: Any) -> str:
    """The HTML of an element."""
    return str(etree.tostring(root, encoding="unicode", method="html"))


def json_ld(root: Any) -> list[Any]:
    """The JSON-LD objects of a page that are valid JSON."""
    found = []
    for node in root.iter("script"):
        if (node.get("type") or "").split(";")[0].strip().lower() != "application/ld+json":
            continue
        try:
            found.append(json.loads(node.text or "", strict=False))
        except ValueError:
            continue  # broken metadata of a page is common and is worth nothing
    return found
