"""Bills by year and theme: proposed apart from signed, each bill once a year and once a theme."""

from datetime import date
from pathlib import Path

from iris_assets.store import Store
from iris_assets.web.figures import bill_figures
from iris_assets.web.schemas import BillFigure
from iris_assets_tests.answers.world import BRUNO, build_world

DEPUTY = 77


def add_bill(store: Store, candidate: int, number: int, year: int | None, themes: list[str], proposed: bool) -> None:
    bill = {
        "camara_id": number, "type": "PL", "number": number, "year": year, "year_repaired": False, "title": f"PL {number}",
        "summary": "Dispõe sobre algo.", "presentation_date": date(2023, 5, 10), "source_url": "https://camara.leg.br",
    }  # fmt: skip
    authors = [
        {
            "author_key": "1",
            "name": "OUTRA",
            "camara_author_id": 5,
            "is_main_author": not proposed,
            "signature_order": 1,
        },
        {
            "author_key": "2",
            "name": "BRUNO",
            "camara_author_id": DEPUTY,
            "is_main_author": proposed,
            "signature_order": 2,
        },
    ]
    with store.transaction() as tx:
        store.camara.upsert_bill(tx, bill, authors, [{"name": name, "external_code": 1} for name in themes])
        store.links.set(tx, "PROPOSITION", str(number), candidate, "AUTHOR")


def test_each_bill_counts_once_a_year_and_once_for_each_theme(tmp_path: Path) -> None:
    store = build_world(tmp_path / "data")[1]
    row = store.candidates.by_tse_id(BRUNO)
    assert row is not None
    with store.transaction() as tx:
        store.camara.upsert_deputies(tx, [{"camara_id": DEPUTY, "source_url": "https://camara.leg.br"}])
        store.candidates.set_match(tx, row["id"], "MATCHED", 95, DEPUTY)
    add_bill(store, row["id"], 1, 2023, ["Saúde", "Economia"], proposed=True)
    add_bill(store, row["id"], 2, 2023, ["Saúde"], proposed=False)
    add_bill(store, row["id"], 3, 2022, [], proposed=True)
    add_bill(store, row["id"], 4, None, ["Saúde"], proposed=False)
    row = store.candidates.by_tse_id(BRUNO)
    assert row is not None
    found = bill_figures(store, row)
    # PL 1234/2023 of the world has one theme and names no deputy by id: signed.
    assert found.by_year == [
        BillFigure(name="2022", proposed=1, signed=0),
        BillFigure(name="2023", proposed=1, signed=2),
        BillFigure(name="sem ano", proposed=0, signed=1),
    ]
    assert found.by_theme == [
        BillFigure(name="Economia", proposed=1, signed=0),
        BillFigure(name="Meio Ambiente", proposed=0, signed=1),
        BillFigure(name="Saúde", proposed=1, signed=2),
        BillFigure(name="sem tema na Câmara", proposed=1, signed=0),
    ]
    store.close()
