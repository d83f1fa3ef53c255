"""What a repair may do: white space and doublings that the page attests, provable encoding damage, nothing else."""

from typing import Any

import pytest

from iris_assets.articles.blocks import BlockMap, map_blocks
from iris_assets.articles.configuration import Thresholds, read_config
from iris_assets.articles.contracts import Article, Repair
from iris_assets.articles.repairs import Attested, repair_problem, repaired
from iris_assets_tests.articles import samples

DAMAGED = (
    "A deputada Ana Lima (PSX-SP) apre sentou nesta terça-feira um projeto de lei sobre o transporte escolar.",
    "Segundo a autora, a proposta atende atende 1.200 municípios e custa R$ 35 milhões por ano: “não há mais tem po”.",
    "O texto será analisado pela comissÃ£o antes de seguir ao plenário, com a autor idade da Câmara dos Deputados.",
)
WHOLE = (
    "A deputada Ana Lima (PSX-SP) apresentou nesta terça-feira um projeto de lei sobre o transporte escolar.",
    "Segundo a autora, a proposta atende atende 1.200 municípios e custa R$ 35 milhões por ano: “não há mais tempo”.",
    "O texto será analisado pela comissão antes de seguir ao plenário, com a autoridade da Câmara dos Deputados.",
)


@pytest.fixture(scope="module")
def blocks() -> BlockMap:
    value = samples.article(DAMAGED)
    for name in ("trafilatura", "newspaper4k"):  # the other two read the words whole
        value["extractions"][name]["text"] = "\n".join(WHOLE)
    return map_blocks(Article.model_validate(value))


def problem(blocks: BlockMap, line: int, fragment: str, replacement: str, category: str) -> str | None:
    block = [b for b in blocks.selected if b.type == "paragraph"][line]
    facts: dict[str, Any] = {"id": block.id, "category": category, "justification": "x"}
    repair = Repair(fragment=fragment, replacement=replacement, **facts)
    return repair_problem(repair, block.text, Attested(blocks), read_config().thresholds)


@pytest.mark.parametrize(
    ("line", "fragment", "replacement", "category"),
    [
        (0, "apre sentou", "apresentou", "split_word"),
        (0, "re sent", "resent", "split_word"),  # by whole words, wherever the fragment ends
        (1, "atende atende", "atende", "duplicated_fragment"),
        (2, "autor idade", "autoridade", "whitespace"),
        (2, "comissÃ£o", "comissão", "encoding"),  # the rest of the line is sound, so only a part proves it
    ],
)
def test_a_defect_that_the_page_attests_is_repaired(
    blocks: BlockMap, line: int, fragment: str, replacement: str, category: str
) -> None:
    assert problem(blocks, line, fragment, replacement, category) is None


@pytest.mark.parametrize(
    ("line", "fragment", "replacement", "category", "code"),
    [
        (0, "inventado", "x", "whitespace", "REPAIR_FRAGMENT_AMBIGUOUS"),
        (0, "de", "d e", "whitespace", "REPAIR_FRAGMENT_AMBIGUOUS"),  # stands in several places
        (0, "apre sentou", "apresentou ontem", "split_word", "REPAIR_CHANGES_TEXT"),
        (0, "transporte", "trans\nporte", "whitespace", "REPAIR_CHANGES_TEXT"),
        (0, "sobre o", "sobreo", "split_word", "REPAIR_UNATTESTED"),
        (0, "transporte", "trans porte", "split_word", "REPAIR_UNATTESTED"),
        (0, "apre sentou", "a p r e s e n t o u", "split_word", "REPAIR_UNATTESTED"),
        (0, "Ana Lima", "AnaLima", "whitespace", "REPAIR_UNTOUCHABLE"),
        (0, "a L", "aL", "whitespace", "REPAIR_UNTOUCHABLE"),
        (1, "1.200", "1.200 1.200", "duplicated_fragment", "REPAIR_UNTOUCHABLE"),
        (1, "R$ 35", "R$35", "whitespace", "REPAIR_UNTOUCHABLE"),
        (1, "tem po", "tempo", "split_word", "REPAIR_UNTOUCHABLE"),  # inside a quotation
        (1, "custa", "rouba", "encoding", "REPAIR_NOT_ENCODING"),
        (1, "custa", "custa", "encoding", "REPAIR_NOT_ENCODING"),
        (1, "proposta", "", "duplicated_fragment", "REPAIR_CHANGES_TEXT"),
        (1, "atende atende", "atende!", "duplicated_fragment", "REPAIR_CHANGES_TEXT"),
    ],
)
def test_everything_else_is_dropped_with_its_reason(
    blocks: BlockMap, line: int, fragment: str, replacement: str, category: str, code: str
) -> None:
    assert problem(blocks, line, fragment, replacement, category) == code


def test_a_repair_less_alike_than_the_limit_is_dropped(blocks: BlockMap) -> None:
    block = next(b for b in blocks.selected if "apre sentou" in b.text)
    repair = Repair(id=block.id, fragment="apre sentou", replacement="apresentou", category="split_word",
                    justification="x")  # fmt: skip
    # 20 of 21 characters are alike: 2 × 10 / (11 + 10) = 95.2 %.
    for limit, code in ((95.0, None), (96.0, "REPAIR_TOO_DIFFERENT")):
        limits = Thresholds(minimum_characters=1, minimum_kept_share=0.5, repair_similarity=limit)
        assert repair_problem(repair, block.text, Attested(blocks), limits) == code


def test_an_invalid_repair_costs_itself_only(blocks: BlockMap) -> None:
    block = next(b for b in blocks.selected if "apre sentou" in b.text)
    good, bad, lost = (
        Repair(id=key, fragment=old, replacement=new, category="split_word", justification="x")
        for key, old, new in ((block.id, "apre sentou", "apresentou"), (block.id, "projeto", "pro jeto"),
                              ("b0000000000", "a", "b"))
    )  # fmt: skip
    texts, applied, dropped = repaired(
        [bad, good, lost], {block.id: block.text}, Attested(blocks), read_config().thresholds
    )
    assert texts == {block.id: WHOLE[0]} and applied == (good,)
    assert dropped == ("REPAIR_UNATTESTED", "REPAIR_UNKNOWN_BLOCK")
