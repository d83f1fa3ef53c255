"""Every reference of a question is read, in order and once: lists, ranges, several kinds, numbers with office and UF."""

import pytest

from iris_assets.question.references import MOST_REFERENCES, find_references


def texts(question: str) -> list[str]:
    return [reference.text for reference in find_references(question).references]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("PLs 460, 461 e 403 de 2023", ["PL 460/2023", "PL 461/2023", "PL 403/2023"]),
        ("pls 460, 461 ou 403 de 2023", ["PL 460/2023", "PL 461/2023", "PL 403/2023"]),
        ("PL 460-461/2023", ["PL 460/2023", "PL 461/2023"]),
        ("PL 460 a 462/2023", ["PL 460/2023", "PL 461/2023", "PL 462/2023"]),
        ("do PL 460/2023 até o 462/2023", ["PL 460/2023", "PL 461/2023", "PL 462/2023"]),
        ("PL 403-2023", ["PL 403/2023"]),
        ("PL 403-23 e PL 403 de 2023", ["PL 403/2023"]),
        ("PL e PLP 403/2023", ["PL 403/2023", "PLP 403/2023"]),
        ("PL/PLP nº 403, de 2023", ["PL 403/2023", "PLP 403/2023"]),
        ("o PL e a PEC 45 e 46/2019", ["PL 45/2019", "PL 46/2019", "PEC 45/2019", "PEC 46/2019"]),
        ("deputados do PL e PEC 45/2019", ["PEC 45/2019"]),  # a party, then a kind
        ("P.L. 403/2023 e P. E. C. 45/2019", ["PL 403/2023", "PEC 45/2019"]),
        ("projetos de lei 460 e 461, ambos de 2023", ["PL 460/2023", "PL 461/2023"]),
        ("PL 403, de 8 de fevereiro de 2023", ["PL 403/2023"]),
        ("DOC 28/2023", ["DOC 28/2023"]),
        ("PL 460, PLP 461 e a PEC 403 de 2023", ["PL 460/2023", "PLP 461/2023", "PEC 403/2023"]),
        ("PL 460 e depois a PEC 403 de 2023", ["PEC 403/2023"]),
        ("PL 403 (2023), PL 404 2023 e PL 405 apresentado em 2023", ["PL 403/2023", "PL 404/2023", "PL 405/2023"]),
        ("EMC-A 1/2023 e EMC 1/2023", ["EMC-A 1/2023", "EMC 1/2023"]),
        ("PL 403/2023 e 5 creches em 2024", ["PL 403/2023"]),
        ("projetos de 2022 e 2023", []),
        ("covid 19/2020 e lei 10 de 2003", []),
    ],
)
def test_bills(question: str, expected: list[str]) -> None:
    assert texts(question) == expected


def test_the_store_is_asked_of_a_few_words_only() -> None:
    asked: list[str] = []

    def holds(word: str) -> bool:
        asked.append(word)
        return False

    find_references(", ".join(f"{chr(97 + n)}xyz {n}/2020" for n in range(20)), holds)
    assert len(asked) == 8


def test_a_kind_that_the_store_holds_is_a_kind() -> None:
    question = "ATA 3/2020 e covid 19/2020"
    assert texts(question) == []
    assert [one.text for one in find_references(question, lambda name: name == "ATA").references] == ["ATA 3/2020"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("páginas 3, 5 e 7 do plano", [3, 5, 7]),
        ("páginas 3 a 5 do plano", [3, 4, 5]),
        ("págs. 3-5 do plano e pp. 8 e 9", [3, 4, 5, 8, 9]),
        ("entre as páginas 3 e 6 do plano", [3, 4, 5, 6]),
        ("página 3 e página 5, de novo a página 3", [3, 5]),
        ("página 3 e 2 propostas do plano", [3]),
        ("página nº 3 e pág. 12 do plano", [3, 12]),
    ],
)
def test_pages(question: str, expected: list[int]) -> None:
    assert [reference.number for reference in find_references(question).references] == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("governador 13", [("GOVERNADOR", 13, "")]),
        ("presidente (13)", [("PRESIDENTE", 13, "")]),
        ("13 para presidente", [("PRESIDENTE", 13, "")]),
        ("deputado federal 1010 do DF", [("DEPUTADO FEDERAL", 1010, "DF")]),
        ("deputada federal 1010/df.", [("DEPUTADO FEDERAL", 1010, "DF")]),
        ("governador 13 no Piauí", [("GOVERNADOR", 13, "PI")]),
        ("governadora do Piauí 13", [("GOVERNADOR", 13, "PI")]),
        ("candidato 13 ao governo do Distrito Federal", [("GOVERNADOR", 13, "DF")]),
        ("candidatos 13 e 22 a presidente", [("PRESIDENTE", 13, ""), ("PRESIDENTE", 22, "")]),
        ("candidato à presidência 13", [("PRESIDENTE", 13, "")]),
        ("governador por 13 anos", []),
        ("governador 13 anos no cargo", []),
        ("candidatos a deputado federal 2022", []),
        ("presidente 2022", []),
        ("candidatos 2022 a presidente", []),
        ("candidato 2022 a deputado federal", [("DEPUTADO FEDERAL", 2022, "")]),
    ],
)
def test_ballot_numbers(question: str, expected: list[tuple[str, int, str]]) -> None:
    assert [(one.office, one.number, one.state) for one in find_references(question).references] == expected


@pytest.mark.parametrize("question", ["SQ 280001607829", "SQ_CANDIDATO: 280001607829", "id do TSE 280001607829"])
def test_the_word_before_an_id_of_the_court_is_no_topic(question: str) -> None:
    found = find_references(question)
    assert [one.identifier for one in found.references] == ["280001607829"]
    assert not found.rest.strip()


def test_ids_in_addresses_of_the_camara() -> None:
    for address in ("camara.leg.br/fichadetramitacao?idProposicao=2348929", "camara.leg.br/api/v2/proposicoes/2348929"):
        assert [one.identifier for one in find_references(f"https://{address}").references] == ["2348929"]


def test_ids_of_the_camara_in_a_list() -> None:
    assert [one.identifier for one in find_references("proposições 2348929 e 2348930").references] == [
        "2348929", "2348930",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "left_out"), [("PL 1 a 99999/2023", 99969), ("páginas 1 a 300 do plano", 270), ("PL 1-30/2023", 0)]
)
def test_a_long_range_is_cut_and_the_rest_counted(question: str, left_out: int) -> None:
    found = find_references(question)
    assert (len(found.references), found.left_out) == (MOST_REFERENCES, left_out)
    assert found.references[0].number == 1
