"""Filter values in any case, with or without accents, by name or alias: the same for every path."""

from collections.abc import Mapping

import pytest

from iris_assets.errors import UsageError
from iris_assets.question.filter_values import office_value, party_value, state_value
from iris_assets.store.search import SearchFilter
from iris_assets_tests.retrieval.world import World


@pytest.fixture(scope="module")
def full(shared_world: World) -> World:
    world = shared_world
    world.candidate("1", "ANA LIMA", state="PI", party="UNIÃO", office="GOVERNADOR")
    world.candidate("2", "BRUNO COSTA", state="SP", party="PC DO B", office="DEPUTADO FEDERAL")
    world.plan("planA", ["1"], ["Construir creches."])
    world.plan("planB", ["2"], ["Construir creches."])
    world.bill(77, "PL 403/2023", "Cria o cadastro de creches.", ["1"])
    return world


@pytest.mark.parametrize(
    "fields",
    [
        {"states": ("PI",)}, {"states": ("pi",)}, {"states": ("Piauí",)}, {"states": ("piaui",)},
        {"parties": ("UNIÃO",)}, {"parties": ("uniao",)}, {"parties": ("União Brasil",)},
        {"offices": ("GOVERNADOR",)}, {"offices": ("governadora",)}, {"offices": ("Governador",)},
        {"states": ("pi", "PI"), "parties": ("União",), "offices": ("governador",)},
    ],
)  # fmt: skip
def test_every_path_compares_alike(full: World, fields: Mapping[str, tuple[str, ...]]) -> None:
    service, filters = full.service(), SearchFilter(**fields)
    assert {one.source_id for one in service.search("creches", filters=filters).results} == {"planA", "77"}
    assert {one.source_id for one in service.retrieve("creches", filters=filters).evidences} == {"planA", "77"}
    assert [row.count for row in service.retrieve("Quantos candidatos há?", filters=filters).counts] == [1]
    assert [one.source_id for one in service.retrieve("PL 403/2023", filters=filters).evidences] == ["77"]
    named = service.retrieve("O que Ana Lima propõe sobre creches?", filters=filters)
    assert named.candidate is not None and named.candidate.tse_id == "1"
    lookup = service.retrieve("O que cada candidato propõe sobre creches?", filters=filters).lookup
    assert lookup is not None and [entry.candidate.tse_id for entry in lookup.entries] == ["1"]


@pytest.mark.parametrize("party", ["PCdoB", "pc do b", "PCDOB", "Partido Comunista do Brasil"])
def test_a_party_of_many_spellings(full: World, party: str) -> None:
    found = full.service().search("creches", filters=SearchFilter(parties=(party,))).results
    assert [one.source_id for one in found] == ["planB"]


def test_a_uf_without_candidates_leaves_nothing_and_never_everything(full: World) -> None:
    filters = SearchFilter(states=("AC",))
    assert full.service().search("creches", filters=filters).results == ()
    assert [row.count for row in full.service().retrieve("Quantos candidatos?", filters=filters).counts] == [0]


@pytest.mark.parametrize(
    ("fields", "code", "known"),
    [
        ({"parties": ("UNIÃO", "ABC")}, "PARTY_UNKNOWN", ["PC DO B", "UNIÃO"]),
        ({"offices": ("vereador",)}, "OFFICE_UNKNOWN", ["DEPUTADO FEDERAL", "GOVERNADOR"]),
        ({"years": (1990,)}, "YEAR_UNKNOWN", ["2026"]),
    ],
)
def test_a_value_that_no_record_has_is_refused_by_the_known_ones(
    full: World, fields: Mapping[str, tuple[str, ...]], code: str, known: list[str]
) -> None:
    service, filters = full.service(), SearchFilter(**fields)  # type: ignore[arg-type]
    for ask in (service.search, service.retrieve):
        with pytest.raises(UsageError) as raised:
            ask("creches", filters=filters)
        assert raised.value.code == code and all(value in raised.value.hint for value in known)


def test_a_uf_that_does_not_exist_is_an_error_of_the_command_line_and_leaves_nothing_elsewhere(full: World) -> None:
    assert full.service().search("creches", filters=SearchFilter(states=("XX",))).results == ()
    with pytest.raises(UsageError) as raised:
        state_value("XX")
    assert raised.value.code == "UF_UNKNOWN"


def test_values() -> None:
    assert [state_value(text) for text in ("sp", "São Paulo", "BR", "brasil")] == ["SP", "SP", "BR", "BR"]
    assert [party_value(text) for text in ("pt", "Partido dos Trabalhadores", "pcdob", "p1")] == [
        "PT", "PT", "PC DO B", "P1",
    ]  # fmt: skip
    assert [office_value(text) for text in ("presidente", "Presidência da República", "deputada federal")] == [
        "PRESIDENTE", "PRESIDENTE", "DEPUTADO FEDERAL",
    ]  # fmt: skip
    assert office_value("vice-prefeito", ["VICE-PREFEITO"]) == "VICE-PREFEITO"
