"""Blocks, their harness and the Markdown made of them, from inputs that can be checked by eye."""

from typing import Any

import pytest
from markdown_it import MarkdownIt

from iris_assets.articles.blocks import Block, BlockMap, blocks_of, map_blocks
from iris_assets.articles.configuration import read_config
from iris_assets.articles.contracts import Article, Extraction, HygieneAnswer
from iris_assets.articles.defects import flagged
from iris_assets.articles.harness import Cleaned, apply_answer
from iris_assets.articles.markdown import assemble, escaped, urls_of
from iris_assets.errors import ModelError
from iris_assets_tests.articles import grounding, samples

BASE = "https://jornal.example/n/1"
HTML = """<article><h2>Um título</h2><p>Primeiro &amp; <b>forte</b>
 parágrafo com <a href="/x#f">ligação</a>.</p><img src="f.jpg" alt="Foto"><ul><li>item um<li>item dois</ul>
<blockquote>citado</blockquote><figure><figcaption>legenda</figcaption></figure>
<table><tr><td>célula</td></tr></table><script>x()</script><p>Linha<br>quebrada</p></article>"""


def told(blocks: list[Block]) -> list[tuple[str, str]]:
    return [(block.type, block.text) for block in blocks]


def test_html_becomes_typed_blocks_in_their_order() -> None:
    blocks = blocks_of("readability", Extraction(title="T", html=HTML), BASE)
    assert told(blocks) == [
        ("title", "T"), ("heading", "Um título"), ("paragraph", "Primeiro & forte parágrafo com ligação."),
        ("image", "Foto"), ("list_item", "item um"), ("list_item", "item dois"), ("quote", "citado"),
        ("caption", "legenda"), ("table", "célula"), ("paragraph", "Linha"), ("paragraph", "quebrada"),
    ]  # fmt: skip
    by_text = {block.text: block for block in blocks}
    assert by_text["Um título"].level == 2 and by_text["item um"].parent == "li"
    assert by_text["Foto"].url == "https://jornal.example/n/f.jpg"
    assert by_text["Primeiro & forte parágrafo com ligação."].links == (("ligação", "https://jornal.example/x"),)
    assert [block.order for block in blocks] == sorted(block.order for block in blocks)


def test_markdown_and_text_become_the_same_blocks() -> None:
    markdown = blocks_of("m", Extraction(markdown="## Um título\n\nTexto *forte* [aqui](/x).\n\n- item\n- outro"), BASE)
    assert told(markdown) == [
        ("heading", "Um título"), ("paragraph", "Texto forte aqui."), ("list_item", "item"), ("list_item", "outro"),
    ]  # fmt: skip
    assert markdown[1].links == (("aqui", "https://jornal.example/x"),)
    text = blocks_of("t", Extraction(text="Texto\n\n \n- item\n• outro"), BASE)
    assert told(text) == [("paragraph", "Texto"), ("list_item", "item"), ("list_item", "outro")]


def test_ids_are_opaque_and_stable_and_differ_by_place_and_extractor() -> None:
    def made(name: str, text: str = "a\na") -> list[Block]:
        return blocks_of(name, Extraction(text=text), BASE)

    assert [b.id for b in made("x")] == [b.id for b in made("x")]
    assert len({b.id for b in (*made("x"), *made("y"))}) == 4  # the same words twice, in two extractions
    assert len({b.hash for b in (*made("x"), *made("y"))}) == 1
    assert all(b.id[0] == "b" and len(b.id) == 11 and b.id != "a" for b in made("x"))


def test_equivalence_is_equality_word_overlap_and_sequence() -> None:
    base = "O texto será analisado pela comissão de educação antes de seguir ao plenário."
    half = "O texto será analisado pela comissão e depois arquivado sem qualquer votação."
    cases = [
        (base.upper(), True), (base.replace("ao plenário", "ao plenario!"), True),
        (base.replace("educação", "educacao pública"), True), (half, False), (" ".join(reversed(base.split())), False),
    ]  # fmt: skip
    for other, same in cases:
        value = samples.article((base, *samples.PARAGRAPHS))
        for name in ("trafilatura", "newspaper4k"):
            value["extractions"][name]["text"] = other
        block = next(b for b in map_blocks(Article.model_validate(value)).selected if b.text == base)
        assert (len(block.equivalences), block.votes) == ((2, 3) if same else (0, 1)), other


def mapped(**extraction: Any) -> BlockMap:
    value = samples.article()
    value["extractions"]["readability"].update(extraction)
    return flagged(map_blocks(Article.model_validate(value)))


def chosen(blocks: BlockMap, **change: Any) -> Cleaned:
    body = [b.id for b in blocks.selected if b.type not in ("title", "subtitle", "author", "image")]
    answer: dict[str, Any] = dict.fromkeys(("title", "subtitle", "author")) | {"kept": body}
    answer |= dict.fromkeys(("images", "links", "repairs", "removed"), ())
    return apply_answer(HygieneAnswer.model_validate({**answer, **change}), blocks, read_config().thresholds)


def markdown_of(found: Cleaned) -> str:
    return assemble(found.title, found.subtitle, found.body, found.texts, found.links)


def test_a_block_of_another_extractor_enters_only_when_it_is_chosen() -> None:
    value, missing = samples.article(), "Só um dos outros extratores tem esta frase inteira da reportagem."
    value["extractions"]["trafilatura"]["text"] += f"\n{missing}"
    blocks = flagged(map_blocks(Article.model_validate(value)))
    other = next(b for b in blocks.others if b.text == missing)
    body = [b.id for b in blocks.selected if b.type == "paragraph"]
    assert missing not in markdown_of(chosen(blocks))
    assert missing in markdown_of(chosen(blocks, kept=[*body, other.id]))
    twin = next(b for b in blocks.others if b.id in blocks.by_id[body[0]].equivalences)
    with pytest.raises(ModelError, match="GROUNDING_REPEATED_ID"):
        chosen(blocks, kept=[*body, twin.id])


def test_pictures_stand_where_they_stood_and_links_only_where_chosen() -> None:
    first, second, third = samples.PARAGRAPHS
    html = f'<p>{first}</p><img src="/f.jpg" alt="A [foto]"><p>{second} <a href="/lei?a=1&b=2">leia a lei</a></p><p>{third}</p>'
    blocks = mapped(html=html)
    image = next(b for b in blocks.selected if b.type == "image")
    linked = next(b for b in blocks.selected if b.links)
    found = chosen(blocks, images=[image.id], links=[linked.id])
    assert [b.type for b in found.body] == ["paragraph", "image", "paragraph", "paragraph"]
    text = markdown_of(found)
    assert "![A \\[foto\\]](https://jornal.example/f.jpg)" in text
    assert "[leia a lei](https://jornal.example/lei?a=1&b=2)" in text
    assert urls_of(text) == {"https://jornal.example/f.jpg", "https://jornal.example/lei?a=1&b=2"}
    assert urls_of(markdown_of(chosen(blocks))) == set()  # nothing chosen, nothing linked


def test_title_and_subtitle_are_not_said_twice() -> None:
    first, *rest = samples.PARAGRAPHS
    html = f"<h1>{samples.TITLE.upper()}</h1><p>{first}</p>" + "".join(f"<p>{line}</p>" for line in rest)
    text = markdown_of(chosen(mapped(html=html, subtitle=first)))
    assert text.casefold().count(samples.TITLE.casefold()) == 1 and text.count(first.replace("-", "-")[:40]) == 1


HOSTILE = (
    "# título", "1. um", "- item", "+ item", "* a *", "_b_", "`c`", "<script>alert(1)</script>", "[a](javascript:x)",
    "![a](http://fora.example/x)", "&lt;b&gt;", "a\\b", "> cita", "=====", "~~~", "|a|b|", "    recuo", "http://x.example",
)  # fmt: skip


@pytest.mark.parametrize("line", HOSTILE)
def test_outside_text_stays_text(line: str) -> None:
    rendered = MarkdownIt("commonmark").render(escaped(line.strip()))
    reader = grounding.plain(escaped(line.strip()))
    assert reader == " ".join(line.split()) and urls_of(escaped(line.strip())) == set()
    assert rendered.count("<") == 2  # one paragraph, nothing else
