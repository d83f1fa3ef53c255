"""The Chamber of Deputies as the stages see it: the API, the yearly files and the rows that both give."""

from iris_assets.sources.camara_api import By, CamaraSource, DeputyRecords, ListedBills, Listing
from iris_assets.sources.camara_history import camara_history, external_mandates, lookback, windows
from iris_assets.sources.camara_records import (
    AuthorRow,
    Bill,
    BillRow,
    DeputyRow,
    HistoryRow,
    ListedDeputy,
    TopicRow,
    limit_authors,
    listed_row,
    ordered_authors,
    party,
)

__all__ = [
    "AuthorRow",
    "Bill",
    "BillRow",
    "By",
    "CamaraSource",
    "DeputyRecords",
    "DeputyRow",
    "HistoryRow",
    "ListedBills",
    "ListedDeputy",
    "Listing",
    "TopicRow",
    "camara_history",
    "external_mandates",
    "limit_authors",
    "listed_row",
    "lookback",
    "ordered_authors",
    "party",
    "windows",
]
