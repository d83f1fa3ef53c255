"""Blocks assembled into Markdown; every letter of outside text is escaped, so it stays text."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final
from urllib.parse import quote

from iris_assets.articles.blocks import Block

SPECIAL: Final = {ord(character): f"\\{character}" for character in "\\`*_[]<>#|~&"}
OPENERS: Final = frozenset("+-=")


def escaped(text: str) -> str:
    """Text as CommonMark that renders to exactly this text."""
    out = text.translate(SPECIAL)
    if out[:1] in OPENERS:
        return "\\" + out
    digits = len(out) - len(out.lstrip("0123456789"))
    return f"{out[:digits]}\\{out[digits:]}" if digits and out[digits : digits + 1] in (".", ")") else out


def safe_url(url: str) -> str:
    """The URL as a CommonMark destination."""
    return quote(url, safe="%/:?#@!$&'*+,;=~-._[]")


def inline(text: str, links: Sequence[tuple[str, str]]) -> str:
    """Text with the links whose anchor stands in it exactly once."""
    for anchor, url in links:
        if anchor and text.count(anchor) == 1 and anchor != text[:1]:
            before, after = text.split(anchor)
            return f"{inline(before, links)}[{escaped(anchor)}]({safe_url(url)}){_tail(after, links)}"
    return escaped(text)


def _tail(text: str, links: Sequence[tuple[str, str]]) -> str:
    # What follows a link never begins a line.
    return inline(text, links).removeprefix("\\") if text[:1] in OPENERS else inline(text, links)


def assemble(
    title: str | None, subtitle: str | None, body: Sequence[Block], texts: Mapping[str, str], chosen: Collection[str]
) -> str:
    """The Markdown: title, subtitle, body in order. `texts` holds repaired texts by id, `chosen` the link URLs."""
    parts = [f"# {escaped(title)}"] if title else []
    parts += [f"*{escaped(subtitle)}*"] if subtitle else []
    previous = ""
    for block in body:
        rendered = _rendered(block, texts.get(block.id, block.text), chosen)
        if block.type == "list_item" and previous == "list_item":
            parts[-1] += f"\n{rendered}"
        else:
            parts.append(rendered)
        previous = block.type
    return "\n\n".join(parts) + "\n"


def urls_of(markdown: str) -> set[str]:
    """Every address that a reader of the Markdown can be led to: links and pictures as CommonMark reads them."""
    from markdown_it import MarkdownIt

    found: set[str] = set()
    for token in MarkdownIt("commonmark").parse(markdown):
        for child in token.children or ():
            found |= {str(child.attrs[name]) for name in ("href", "src") if name in child.attrs}
    return found


def _rendered(block: Block, text: str, chosen: Collection[str]) -> str:
    if block.type == "image":
        return f"![{escaped(text)}]({safe_url(block.url or '')})"
    content = inline(text, [(anchor, url) for anchor, url in block.links if url in chosen])
    prefixes = {"heading": "## ", "list_item": "- ", "quote": "> "}
    return prefixes.get(block.type, "") + content
