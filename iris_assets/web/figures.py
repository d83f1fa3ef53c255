"""How many bills of a candidate fall on each year and theme, those that they proposed apart from those that they signed."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from iris_assets.store import Store
from iris_assets.store.records import BillRow, CandidateRow
from iris_assets.web.schemas import BillFigure, BillFiguresReply

NO_YEAR = "sem ano"
NO_THEME = "sem tema na Câmara"
Names = Callable[[BillRow], Iterable[str]]


def bill_figures(store: Store, row: CandidateRow) -> BillFiguresReply:
    """By year (oldest first) and by theme (in alphabetical order); a bill counts once for each of its themes."""
    bills = store.camara.bills_of_candidate(row["id"])
    proposed = {bill["camara_id"] for bill in bills if _proposed(bill, row["camara_deputy_id"])}
    return BillFiguresReply(
        by_year=_figures(bills, proposed, lambda bill: [str(bill["year"] or NO_YEAR)]),
        by_theme=_figures(bills, proposed, lambda bill: [topic["name"] for topic in bill["topics"]] or [NO_THEME]),
    )


def _proposed(bill: BillRow, deputy: int | None) -> bool:
    """Whether the deputy is among those whom the Câmara calls proponents."""
    return any(author["camara_author_id"] == deputy and author["is_main_author"] for author in bill["authors"])


def _figures(bills: Sequence[BillRow], proposed: set[int], names: Names) -> list[BillFigure]:
    counted = Counter((name, bill["camara_id"] in proposed) for bill in bills for name in set(names(bill)))
    return [
        BillFigure(name=name, proposed=counted[name, True], signed=counted[name, False])
        for name in sorted({name for name, _ in counted})
    ]
