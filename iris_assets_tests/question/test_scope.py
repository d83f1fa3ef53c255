"""Parties, UFs, offices and years as questions write them, and words that only look like them."""

import pytest

from iris_assets.question.scope import narrowed, take_scope
from iris_assets.question.unread import Unread
from iris_assets.store.search import SearchFilter

STORED = ("NOVO", "PC DO B", "PL", "PT", "REDE", "REPUBLICANOS", "UNIÃO")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("candidatos do PT", ("PT",)),
        ("candidatos do pt e do psdb", ("PSDB", "PT")),
        ("candidatos do Uniao Brasil", ("UNIÃO",)),
        ("candidatos do união", ("UNIÃO",)),
        ("benefícios da União", ()),
        ("PCdoB e PC do B", ("PC DO B",)),
        ("o Partido Comunista do Brasil", ("PC DO B",)),
        ("filiados ao partido Novo", ("NOVO",)),
        ("o novo ensino médio", ()),
        ("do novo ensino médio", ()),
        ("da rede de ensino", ()),
        ("deputados da Rede em Sergipe", ("REDE",)),
        ("candidatos do Novo, PL e Republicanos", ("NOVO", "PL", "REPUBLICANOS")),
        ("o PL 403/2023", ()),
        ("do PL nº 403", ()),
        ("projetos do PL", ("PL",)),
        ("PL/DF", ("PL",)),
        ("pode apresentar", ()),
    ],
)
def test_parties(text: str, expected: tuple[str, ...]) -> None:
    assert take_scope(Unread(text), STORED).parties == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tem o Piauí", ("PI",)),
        ("para o piaui", ("PI",)),
        ("no df e pi", ("DF", "PI")),
        ("DF, PI e SE", ("DF", "PI", "SE")),
        ("(PT/SE)", ("SE",)),
        ("no Rio Grande do Sul e em Mato Grosso", ("MT", "RS")),
        ("Mato Grosso do Sul", ("MS",)),
        ("para governador do Pará", ("PA",)),
        ("para governador", ()),
        ("do para", ("PA",)),
        ("QUANTOS SE REGISTRARAM", ()),
        ("QUANTOS EM SE", ("SE",)),
        ("se registraram", ()),
        ("de pé", ()),
        ("no estado de Goiás", ("GO",)),
        ("dá à BR-050 o nome", ()),
        ("a PI 140 e a BR-324", ()),
    ],
)
def test_states(text: str, expected: tuple[str, ...]) -> None:
    assert take_scope(Unread(text), STORED).states == expected


@pytest.mark.parametrize(
    ("text", "elections", "others"),
    [
        ("em 2022", "", "2022"),
        ("de 2021, 2022 e 2023", "", "2021, 2022, 2023"),
        ("de 2022 ou de 2023", "", "2022, 2023"),
        ("2022/2023", "", "2022, 2023"),
        ("2019-2022", "", "de 2019 a 2022"),
        ("de 2019 a 2022", "", "de 2019 a 2022"),
        ("entre 2019 e 2022", "", "de 2019 a 2022"),
        ("desde 2022", "", "desde 2022"),
        ("desde 2019 até 2022", "", "de 2019 a 2022"),
        ("a partir do ano de 2022", "", "desde 2022"),
        ("até o fim de 2022", "", "até 2022"),
        ("até 2022", "", "até 2022"),
        ("antes de 2022", "", "até 2021"),
        ("após 2022", "", "desde 2023"),
        ("nas eleições de 2018 e 2022", "2018, 2022", ""),
        ("eleitos em 2022 que assinaram projetos de 2023", "2022", "2023"),
    ],
)
def test_years(text: str, elections: str, others: str) -> None:
    years = take_scope(Unread(text), STORED).years
    assert (years.elections.label, years.others.label) == (elections, others)
    assert years.clear


@pytest.mark.parametrize(
    "text", ["entre 2019, 2020 e 2022", "entre 2022 e 2019", "em 2020 e desde 2022", "até 2020 e 2022"]
)
def test_years_that_say_two_things_are_not_clear(text: str) -> None:
    assert not take_scope(Unread(text), STORED).years.clear


def test_an_open_range_is_every_year_up_to_its_end() -> None:
    since = take_scope(Unread("desde 2022"), STORED).years.others.listed
    until = take_scope(Unread("até 2022"), STORED).years.others.listed
    assert (since[0], since[-1], until[0], until[-1]) == (2022, 2099, 1900, 2022)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("candidatos a presidente", ("PRESIDENTE",)),
        ("à Presidência da República", ("PRESIDENTE",)),
        ("o presidente da Câmara", ()),
        ("candidatos ao governo do Piauí", ("GOVERNADOR",)),
        ("planos de governo do Piauí", ()),
        ("a deputado federal", ("DEPUTADO FEDERAL",)),
        ("deputados", ("DEPUTADO DISTRITAL", "DEPUTADO ESTADUAL", "DEPUTADO FEDERAL")),
        ("governador e senador", ("GOVERNADOR", "SENADOR")),
    ],
)
def test_offices(text: str, expected: tuple[str, ...]) -> None:
    assert take_scope(Unread(text), STORED).offices == expected


@pytest.mark.parametrize(
    ("text", "scattered"),
    [
        ("do PT e do PL no DF ou no PI", False),
        ("do PT, PSDB e PL", False),
        ("a governador e a deputado federal", False),
        ("do PT assinados pelo PL", True),
        ("do PT no DF e do PL no PI", True),
        ("candidatos a governador que são deputados", True),
        ("de 2022 assinados em 2023", True),
    ],
)
def test_values_that_do_not_stand_in_one_list_are_no_alternatives(text: str, scattered: bool) -> None:
    assert take_scope(Unread(text), STORED).scattered == scattered


def test_what_the_caller_set_is_not_replaced() -> None:
    named = narrowed("candidatos do PT no DF nas eleições de 2018", SearchFilter(states=("PI",)), STORED)
    assert named == SearchFilter(states=("PI",), parties=("PT",), years=(2018,))
