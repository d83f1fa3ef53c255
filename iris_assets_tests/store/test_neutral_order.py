"""The order that pages a list is the one that prints it, for names with and without punctuation and accents."""

from iris_assets.retrieval.evidence import candidate_ref
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.store import Store
from iris_assets_tests.store.conftest import add_candidate

NAMES = ["DR LEONARDO", "DR. FRANCISCO", "ANA MARIA", "Ána", "ANA", "D'ÁVILA", "DAVI", "D AVILA 2", "ÁGATA", "100% ZÉ"]


def test_pages_and_prints_stand_in_one_order(store: Store) -> None:
    for place, name in enumerate(NAMES):
        add_candidate(store, str(place), ballot_name=name, name=f"CIVIL {place % 3}")
    pages = [store.search_candidates(page=page, page_size=3) for page in range(1, 5)]
    paged = [row["tse_id"] for page in pages for row in page.items]
    printed = by_ballot_name(candidate_ref(row) for row in store.candidates.list())
    assert paged == [candidate.tse_id for candidate in printed]
    assert [NAMES[int(tse_id)] for tse_id in paged] == [
        "100% ZÉ", "ÁGATA", "Ána", "ANA", "ANA MARIA", "D'ÁVILA", "D AVILA 2", "DAVI", "DR. FRANCISCO", "DR LEONARDO",
    ]  # fmt: skip
