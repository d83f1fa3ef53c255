"""The Câmara's API and files: the same rows from both, paging, history, authors, and failures that cost one record."""

from collections.abc import Callable
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from iris_assets.errors import IrisAssetsError, SourceContractError
from iris_assets.sample.faults import CUT, HTML, Fault
from iris_assets.sample.reply import json_reply
from iris_assets.sources.camara import Bill, CamaraSource, ListedBills, Listing
from iris_assets.sources.camara_bulk import CamaraBulk
from iris_assets.sources.camara_history import camara_history, external_mandates, lookback, windows
from iris_assets.sources.camara_records import bill_row, limit_authors, ordered_authors, party
from iris_assets_tests.sources.conftest import World

FIRST, LAST = date(2022, 11, 30), date(2026, 11, 30)
API = "https://dadosabertos.camara.leg.br/api/v2"


def test_windows_are_at_most_92_days_newest_first_and_cover_everything() -> None:
    made = list(windows(FIRST, LAST))
    assert made[0][1] == LAST and made[-1][0] == FIRST
    assert all((end - start).days + 1 <= 92 for start, end in made)
    assert all(older[1] == newer[0] for newer, older in pairwise(made))
    assert lookback(date(2024, 2, 29), 3) == (date(2021, 2, 28), date(2024, 2, 29))


@pytest.mark.parametrize("page_size", [1, 7, 100])
def test_listing_follows_every_page(make_world: Callable[..., World], page_size: int) -> None:
    world = make_world(camara_page_size=page_size)
    deputies, listing = CamaraSource(world.client, world.settings).deputies(FIRST, LAST)
    assert [d.camara_id for d in deputies] == list(range(990001, 990011))
    assert (listing.notes, listing.missing) == ([], 0)


def bills_of(world: World, source: CamaraSource, deputies: list[int], limit: int = 0) -> dict[int, Any]:
    return dict(world.client.stream(deputies, lambda deputy: source.abills_of(deputy, FIRST, LAST, limit=limit)))


def test_api_and_files_give_the_same_bills(world: World, tmp_path: Path) -> None:
    source = CamaraSource(world.client, world.settings)
    bulk = CamaraBulk(world.client, world.settings, tmp_path)
    files = bulk.files(FIRST, LAST)
    assert files.years == (2024, 2025, 2026)
    assert "the Câmara has no yearly file for 2022, 2023" in files.notes
    deputies = list(range(990001, 990011))
    listed = bills_of(world, source, deputies)
    signatures = bulk.signatures(files)
    signed = {deputy: signatures.within(deputy, FIRST, LAST) for deputy in deputies}
    for deputy in deputies:
        bills = listed[deputy]
        assert isinstance(bills, ListedBills)
        assert set(bills.bill_ids) == {number for number, _ in signed[deputy]}
    numbers = sorted({number for bills in signed.values() for number, _ in bills})
    assert len(numbers) == 24
    by_api = dict(source.bills(numbers))
    by_files = {bill.bill["camara_id"]: bill for bill in bulk.bills(files, numbers)}
    assert by_api == by_files
    again = bulk.files(FIRST, LAST)
    assert again.not_modified and again.hash == files.hash


def test_a_limit_takes_the_newest(world: World) -> None:
    source = CamaraSource(world.client, world.settings)
    every = bills_of(world, source, [990003])[990003]
    some = bills_of(world, source, [990003], limit=3)[990003]
    assert isinstance(every, ListedBills) and isinstance(some, ListedBills)
    assert some.bill_ids == every.bill_ids[:3]


def test_one_bill_that_fails_costs_itself(world: World) -> None:
    source = CamaraSource(world.client, world.settings)
    world.faults.script("/api/v2/proposicoes/9900001", [500] * 4)
    world.faults.script("/api/v2/proposicoes/9900002/autores", [HTML])
    world.faults.script("/api/v2/proposicoes/9900003/temas", [CUT] * 4)
    world.faults.script("/api/v2/proposicoes/9900004", [404])
    world.faults.script("/api/v2/proposicoes/9900005", [503, 503])
    results = dict(source.bills(range(9900001, 9900007)))
    codes = {n: r.code for n, r in results.items() if isinstance(r, IrisAssetsError)}
    assert codes == {
        9900001: "SOURCE_UNAVAILABLE",
        9900002: "SOURCE_NOT_JSON",
        9900003: "SOURCE_JSON_INVALID",
        9900004: "SOURCE_NOT_FOUND",
    }
    assert isinstance(results[9900005], Bill) and isinstance(results[9900006], Bill)


@pytest.mark.parametrize(
    ("link", "code"),
    [
        (f"{API}/proposicoes?itens=100&pagina=2", "PAGING_LOOP"),
        ("https://example.org/api/v2/proposicoes?pagina=2", "URL_NOT_ALLOWED"),
    ],
)
def test_a_next_link_that_loops_or_leaves_is_refused(world: World, link: str, code: str) -> None:
    page = json_reply({"dados": [{"id": 1}], "links": [{"rel": "next", "href": link}]})
    world.faults.script("/api/v2/proposicoes", [Fault(page)] * 3)
    source = CamaraSource(world.client, world.settings)
    with pytest.raises(SourceContractError) as caught:
        world.client.run(source.alisting("proposicoes", {"ano": 2026}))
    assert caught.value.code == code


def _shifted_pages() -> list[Fault]:
    """Five items are declared; while page 1 was read one moved to page 2, and two were never given."""
    second = f"{API}/proposicoes?pagina=2&itens=100&ano=2026"
    first = {"dados": [{"id": 1}, {"id": 2}], "links": [{"rel": "next", "href": second}]}
    pages = (first, {"dados": [{"id": 2}, {"id": 3}], "links": []})
    return [Fault(json_reply(page, headers={"X-Total-Count": "5"})) for page in pages]


def _whole_listing(world: World, readings: list[Fault]) -> Listing:
    world.faults.script("/api/v2/proposicoes", readings)
    listing: Listing = world.client.run(
        CamaraSource(world.client, world.settings).alisting("proposicoes", {"ano": 2026})
    )
    return listing


def test_a_listing_whose_pages_shift_is_read_again_and_what_is_missing_then_is_told(world: World) -> None:
    listing = _whole_listing(world, _shifted_pages() * 3)
    assert [item["id"] for item in listing.items] == [1, 2, 3]
    assert listing.missing == 2
    assert listing.notes == ["proposicoes: 2 of 5 items missing after 3 readings"]


def test_what_several_readings_gave_together_is_complete(world: World) -> None:
    last = {"dados": [{"id": 4}, {"id": 5}, {"id": 3}], "links": []}
    listing = _whole_listing(world, [*_shifted_pages(), Fault(json_reply(last, headers={"X-Total-Count": "5"}))])
    assert sorted(item["id"] for item in listing.items) == [1, 2, 3, 4, 5]
    assert listing.missing == 0


def test_a_refused_page_size_is_dropped_once(world: World) -> None:
    refusal = json_reply({"status": 400, "detail": "Parâmetro(s) inválido(s).", "instance": "itens"}, 400)
    world.faults.script("/api/v2/deputados", [Fault(refusal)])
    listing = world.client.run(CamaraSource(world.client, world.settings).alisting("deputados", {"ordem": "ASC"}))
    assert len(listing.items) == 10
    assert world.simulator.requests[-1] == "/api/v2/deputados?ordem=ASC"


def test_history_rows_and_their_ids(world: World) -> None:
    source = CamaraSource(world.client, world.settings)
    deputies, _ = source.deputies(FIRST, LAST)
    records = world.client.run(source.adeputy(deputies[0], FIRST, LAST))
    assert records.history[0]["external_id"] == "CAMARA_HIST:990001:57:2023-02-01T12:05"
    assert [row["position"] for row in records.history] == ["DEPUTADO FEDERAL", "Vereador(a)"]
    mandate = records.history[1]
    assert (mandate["start_date"], mandate["end_date"]) == (date(2021, 1, 1), date(2023, 12, 31))
    assert (mandate["date_precision"], len(mandate["external_id"])) == ("YEAR", len("CAMARA_EXT:990001:") + 48)


def test_external_id_is_the_hash_of_the_parts_whether_years_are_text_or_numbers() -> None:
    item = {
        "cargo": "Vereador(a)",
        "siglaUf": "AL",
        "municipio": None,
        "anoInicio": "2021",
        "anoFim": 2024,
        "siglaPartidoEleicao": "PFL",
    }
    (row,) = external_mandates(7, [item], FIRST, LAST)
    # printf 'Vereador(a)|AL||2021|2024|PFL' | sha256sum
    import hashlib

    assert row["external_id"] == f"CAMARA_EXT:7:{hashlib.sha256(b'Vereador(a)|AL||2021|2024|PFL').hexdigest()[:48]}"
    assert external_mandates(7, [{**item, "anoFim": "2021"}], FIRST, LAST) == []


def test_history_without_a_date_is_left_out_and_one_minute_is_one_row() -> None:
    items = [
        {"idLegislatura": 57, "dataHora": None, "situacao": None},
        {"idLegislatura": 57, "dataHora": "2023-02-01T10:00", "situacao": "Exercício", "descricaoStatus": "Posse"},
        {"idLegislatura": 57, "dataHora": "2023-02-01T10:00", "situacao": None, "descricaoStatus": "Partido no início"},
    ]
    (row,) = camara_history(7, items, FIRST, LAST)
    assert row["status"] == "Exercício; Posse / Partido no início"


def test_bills_with_year_zero_text_numbers_and_nulls() -> None:
    row = bill_row(
        {"id": "12", "siglaTipo": "EMC", "numero": "3", "ano": 0, "ementa": "", "dataApresentacao": "2023-02-10T18:33"}
    )
    assert (row["camara_id"], row["title"], row["year"], row["year_repaired"]) == (12, "EMC 3/2023", 2023, True)
    assert (row["summary"], row["status"], row["status_at"]) == (None, None, None)
    assert row["presentation_date"] == date(2023, 2, 10)


def test_authors_are_ordered_deduplicated_and_cut_but_matched_signers_stay() -> None:
    def author(number: int, order: int, main: int = 0) -> dict[str, object]:
        return {
            "uri": f"{API}/deputados/{number}",
            "nome": f"N{number}",
            "tipo": "Deputado(a)",
            "ordemAssinatura": order,
            "proponente": main,
        }

    items = [author(n, n) for n in range(201, 0, -1)] + [author(150, 150, 1), author(3, 3)]
    items += [
        {"uri": None, "nome": "Poder  Executivo ", "tipo": "Órgão"},
        {"uri": None, "nome": "PODER EXECUTIVO", "tipo": "órgão"},
    ]
    authors = ordered_authors(items)
    assert len(authors) == 202
    assert [a["camara_author_id"] for a in authors[:4]] == [150, 1, 2, 3]
    assert authors[-1]["author_key"] == "poder executivo|órgão" and authors[-1]["camara_author_id"] is None
    kept = limit_authors(authors, 10, {180})
    assert [a["camara_author_id"] for a in kept] == [150, 1, 2, 3, 4, 5, 6, 7, 8, 9, 180]


def test_party_acronyms_that_the_files_cut_are_whole_again() -> None:
    assert [party(name) for name in ("REPUBLIC", "SOLIDARI", "PCdoB", "PC do B", "", None)] == [
        "REPUBLICANOS", "SOLIDARIEDADE", "PCDOB", "PCDOB", None, None,
    ]  # fmt: skip


def test_a_cut_yearly_file_is_refused_whole(world: World, tmp_path: Path) -> None:
    bulk = CamaraBulk(world.client, world.settings, tmp_path)
    path = "/arquivos/proposicoes/csv/proposicoes-2025.csv"
    world.faults.script(path, [CUT])
    with pytest.raises(SourceContractError, match="CSV_TRUNCATED"):
        bulk.files(date(2025, 1, 1), date(2025, 12, 31))
    good = bulk.files(date(2025, 1, 1), date(2025, 12, 31))
    world.faults.script(path, [HTML])
    kept = bulk.files(date(2025, 1, 1), date(2025, 12, 31))
    assert kept.hash == good.hash and kept.notes[0].startswith("FILE_NOT_CSV")


@pytest.mark.parametrize("workers", [1, 6, 16])
def test_the_same_rows_whatever_the_workers_and_when_calls_fail(make_world: Callable[..., World], workers: int) -> None:
    world = make_world(camara_http_workers=workers, http_max_retries=8)
    calm = make_world()
    numbers = range(9900001, 9900025)
    world.faults.rates = {429: 0.1, 503: 0.1}
    rough = dict(CamaraSource(world.client, world.settings).bills(numbers))
    assert rough == dict(CamaraSource(calm.client, calm.settings).bills(numbers))
    assert world.client.limiter.peak <= workers
