"""An independent checker of a cleaned article: its sentences, links and pictures against the input; shares no code
with the assembler."""

import html
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from markdown_it import MarkdownIt

LINES = {"p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "div", "td", "th", "blockquote", "figcaption", "br", "hr", "img",
         "section", "article", "ul", "ol", "tr", "dd", "dt", "pre", "figure"}  # fmt: skip
SENTENCE = re.compile(r"(?<=[.!?…])\s+")
TOKEN = re.compile(r"[^\W_]+")


class _Reader(HTMLParser):
    """Text by lines, and every address."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = [""]
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in LINES:
            self.lines.append("")
        self.addresses += [value for name, value in attrs if name in ("href", "src", "data-src") and value]
        self.lines += [value for name, value in attrs if name == "alt" and value] + [""] * (tag == "img")

    def handle_endtag(self, tag: str) -> None:
        if tag in LINES:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        self.lines[-1] += data


def _read(source: str) -> _Reader:
    reader = _Reader()
    reader.feed(source)
    reader.close()
    return reader


def _tokens(text: str) -> list[str]:
    return TOKEN.findall(text.casefold())


def _undone(text: str) -> str:
    """UTF-8 that was read as Windows-1252, read rightly; a text that was not stays."""
    try:
        return text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return text


def _sources(article: dict[str, Any]) -> Iterator[str]:
    """Every text of the three extractions as one run of words each."""
    for extraction in article["extractions"].values():
        page = _read(str(extraction.get("html") or "")).lines
        rendered = _read(MarkdownIt("commonmark").render(str(extraction.get("markdown") or ""))).lines
        plain = str(extraction.get("text") or "").splitlines()
        heads = [str(extraction.get(name) or "") for name in ("title", "subtitle", "author")]
        for lines in (page, rendered, plain, *([head] for head in heads)):
            yield " ".join(_tokens(" ".join(lines)))
            yield " ".join(_tokens(" ".join(_undone(line) for line in lines)))


def sentences_of(markdown: str) -> list[str]:
    """The sentences that a reader of the Markdown sees."""
    lines = _read(MarkdownIt("commonmark").render(markdown)).lines
    return [part for line in lines for part in SENTENCE.split(" ".join(line.split())) if _tokens(part)]


def plain(markdown: str) -> str:
    """What a reader of the Markdown sees, on one line."""
    return " ".join(" ".join(_read(MarkdownIt("commonmark").render(markdown)).lines).split())


def ungrounded(markdown: str, article: dict[str, Any]) -> list[str]:
    """The sentences whose words stand, in their order and without a gap, in no text of the input."""
    held = [f" {source} " for source in _sources(article)]
    return [s for s in sentences_of(markdown) if not any(f" {' '.join(_tokens(s))} " in text for text in held)]


def foreign_addresses(markdown: str, article: dict[str, Any]) -> list[str]:
    """Links and pictures of the Markdown that the input does not have."""
    known: set[str] = set()
    for extraction in article["extractions"].values():
        known.update(_read(str(extraction.get("html") or "")).addresses)
        known.update(_read(MarkdownIt("commonmark").render(str(extraction.get("markdown") or ""))).addresses)
        known.update([*extraction.get("images", ()), *extraction.get("links", ())])
    whole = {_plain(urljoin(article["url"], address.strip())) for address in known}
    return [address for address in _read(MarkdownIt("commonmark").render(markdown)).addresses
            if _plain(address) not in whole]  # fmt: skip


def _plain(address: str) -> str:
    return unquote(html.unescape(urldefrag(address)[0]))
