"""A plan's structure from its lines alone: headings, items, paragraphs, sentences, and the page of each."""

from iris_assets.documents.structure import Structure
from iris_assets.indexing.plan_text import joined_pages

PLAN = joined_pages(
    [
        (
            1,
            "DIRETRIZES DO PLANO\n"
            "EDUCAÇÃO\n"
            "1. Ampliar as creches em todos os municípios, com recursos da União e metas\n"
            "anuais. O art. 5. da lei será cumprido pelo Sr. Ministro.\n"
            "2. Criar escolas de tempo integral, que serão construídas nas periferias das\n"
            "grandes cidades com apoio dos",
        ),
        (
            3,
            "estados e dos municípios.\nSAÚDE\n• Reduzir as filas;\n• Contratar médicos.\n3.1 Hospitais regionais serão abertos.",
        ),
    ]
)


def blocks(plan: Structure, kind: str) -> list[str]:
    return [plan.one_line((block.start, block.end)) for block in plan.blocks if block.kind == kind]


def test_headings_items_and_paragraphs_are_told_apart() -> None:
    assert blocks(PLAN, "heading") == ["DIRETRIZES DO PLANO EDUCAÇÃO", "SAÚDE"]
    assert blocks(PLAN, "item") == [
        "1. Ampliar as creches em todos os municípios, com recursos da União e metas anuais. "
        "O art. 5. da lei será cumprido pelo Sr. Ministro.",
        "2. Criar escolas de tempo integral, que serão construídas nas periferias das grandes cidades com apoio dos "
        "estados e dos municípios.",
        "• Reduzir as filas;",
        "• Contratar médicos.",
        "3.1 Hospitais regionais serão abertos.",
    ]
    assert blocks(PLAN, "paragraph") == []


def test_an_item_that_goes_on_over_a_page_has_both_pages() -> None:
    [second] = PLAN.labelled("2")
    assert PLAN.pages(second.start, second.end) == (1, 3)
    [first] = PLAN.labelled("1")
    assert PLAN.pages(first.start, first.end) == (1, 1)


def test_a_full_stop_of_an_abbreviation_ends_no_sentence() -> None:
    index = PLAN.block_at(PLAN.labelled("1")[0].start)
    assert [PLAN.one_line(span) for span in PLAN.sentences(index)] == [
        "1. Ampliar as creches em todos os municípios, com recursos da União e metas anuais.",
        "O art. 5. da lei será cumprido pelo Sr. Ministro.",
    ]


def test_a_section_reaches_to_the_next_heading() -> None:
    health = next(block for block in PLAN.blocks if PLAN.text[block.start : block.end] == "SAÚDE")
    assert PLAN.one_line(PLAN.section(health)).endswith("3.1 Hospitais regionais serão abertos.")
    filas = next(block for block in PLAN.blocks if "filas" in PLAN.text[block.start : block.end])
    assert PLAN.heading_of(PLAN.block_at(filas.start)) == health


def test_pages_without_text_are_no_pages_of_the_text() -> None:
    assert PLAN.page_span(2) is None
    span = PLAN.page_span(3)
    assert span is not None and PLAN.one_line(span).startswith("estados e dos municípios. SAÚDE")


def test_blocks_and_sentences_hold_every_word() -> None:
    text = "Um plano.\n\n- item um\n- item dois; parte\n\nFim? Sim! 12. Doze\nIX - nove\nhttps://a.b/c\nOutra linha"
    plan = Structure(text)
    sentences = [plan.one_line(span) for index in range(len(plan.blocks)) for span in plan.sentences(index)]
    assert " ".join(sentences).split() == text.split()
    assert plan.pages(0, 5) is None


def test_a_long_sentence_is_cut_between_the_parts_of_its_list() -> None:
    parts = [f"garantia do direito número {n} de todas as pessoas que trabalham em nosso país" for n in range(12)]
    plan = Structure("; ".join(parts) + ".")
    assert [plan.one_line(span) for span in plan.sentences(0)] == [
        *(f"{part};" for part in parts[:-1]),
        parts[-1] + ".",
    ]


def test_a_quotation_may_end_a_sentence() -> None:
    plan = Structure("Nada “sobre nós sem nós”. O Brasil é de todos.")
    assert [plan.one_line(span) for span in plan.sentences(0)] == ["Nada “sobre nós sem nós”.", "O Brasil é de todos."]


def test_a_heading_set_with_spaces_is_found_by_its_number() -> None:
    plan = joined_pages([(1, "Uma frase que termina.\nE I X O 2\nEconomia verde\nO desmatamento será zero.")])
    assert [plan.one_line((block.start, block.end)) for block in plan.labelled("2")] == ["E I X O 2"]


def test_headings_of_two_pages_are_two() -> None:
    plan = joined_pages([(1, "CAPA DO PLANO"), (2, "EDUCAÇÃO\nAbriremos escolas em todo o estado.")])
    assert [plan.pages(block.start, block.end) for block in plan.blocks if block.kind == "heading"] == [(1, 1), (2, 2)]


def test_contents_and_footnotes_are_no_sentences_of_the_text() -> None:
    plan = joined_pages(
        [(1, "Saúde para todos ...... 12\nEscola integral ...... 14"), (2, "Um fim.\n27 Fonte: https://a.b/c")]
    )
    assert [block.kind for block in plan.blocks] == ["note", "note", "paragraph", "note"]
