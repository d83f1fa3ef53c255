"""The Câmara's answers and file rows turned into store rows: one mapping for each, the same for API and bulk."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, TypedDict

from iris_assets.errors import SourceContractError

Item = Mapping[str, Any]

DEPUTY_URI: Final = re.compile(r"/deputados/(\d+)/?$")
LAST_NUMBER: Final = re.compile(r"/(\d+)/?$")
KEY_LENGTH: Final = 100
NOT_LISTED: Final = frozenset({"email", "urlFoto"})
# The yearly files cut acronyms to eight letters; the API writes them whole.
PARTY_ALIASES: Final[dict[str, str]] = {
    "REPUBLIC": "REPUBLICANOS",
    "SOLIDARI": "SOLIDARIEDADE",
    "PC DO B": "PCDOB",
    "PATRI": "PATRIOTA",
}


class BillRow(TypedDict):
    camara_id: int
    type: str | None
    number: int | None
    year: int | None
    year_repaired: bool
    title: str | None
    summary: str | None
    detailed_summary: str | None
    presentation_date: date | None
    status: str | None
    status_at: str | None
    source_url: str


class AuthorRow(TypedDict):
    author_key: str
    camara_author_id: int | None
    name: str
    author_type: str | None
    uri: str | None
    is_main_author: bool
    signature_order: int | None


class TopicRow(TypedDict):
    external_code: int | None
    name: str


class DeputyRow(TypedDict):
    camara_id: int
    civil_name: str | None
    status_name: str | None
    electoral_name: str | None
    party: str | None
    state: str | None
    legislature: int | None
    parties_json: list[str]
    listing_hash: str | None
    source_url: str


class HistoryRow(TypedDict):
    external_id: str
    camara_deputy_id: int
    institution: str
    position: str
    party: str | None
    state: str | None
    municipality: str | None
    start_date: date | None
    end_date: date | None
    date_precision: str
    status: str | None
    source_url: str


@dataclass(frozen=True, slots=True)
class Bill:
    """A bill with all its authors (ordered, see ordered_authors) and topics, ready for one transaction.

    `doubles`: how many entries of the source name an author that another entry names too.
    """

    bill: BillRow
    authors: list[AuthorRow]
    topics: list[TopicRow]
    doubles: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ListedDeputy:
    """One deputy as the listing gives it; `listing_hash` changes when anything listed of it changes."""

    camara_id: int
    name: str | None
    party: str | None
    state: str | None
    legislature: int | None
    listing_hash: str
    uri: str


def make_bill(bill: BillRow, authors: Sequence[Item], topics: Iterable[Item]) -> Bill:
    """A bill from its row and the source's entries of authors and topics."""
    ordered = ordered_authors(authors)
    named = sum(author_row(entry) is not None for entry in authors)
    return Bill(bill, ordered, topic_rows(topics), named - len(ordered))


def bill_row(item: Item) -> BillRow:
    """From the `dados` of a bill's detail, or from a bulk row renamed by camara_bulk."""
    camara_id = required_int(item, "id")
    status = item.get("statusProposicao") or {}
    presented = as_date(item.get("dataApresentacao"))
    year, repaired = repair_year(as_int(item.get("ano")), presented)
    kind, number = as_text(item.get("siglaTipo")), as_int(item.get("numero"))
    return {
        "camara_id": camara_id,
        "type": kind,
        "number": number,
        "year": year,
        "year_repaired": repaired,
        "title": bill_title(kind, number, year),
        "summary": as_text(item.get("ementa")),
        "detailed_summary": as_text(item.get("ementaDetalhada")),
        "presentation_date": presented,
        "status": as_text(status.get("descricaoSituacao")) or as_text(status.get("descricaoTramitacao")),
        "status_at": as_minute(status.get("dataHora")),
        "source_url": as_text(item.get("uri")) or f"https://dadosabertos.camara.leg.br/api/v2/proposicoes/{camara_id}",
    }


def repair_year(year: int | None, presented: date | None) -> tuple[int | None, bool]:
    """The year, and whether it had to be taken from the presentation date (`ano` 0 or absent)."""
    if year:
        return year, False
    return (presented.year, True) if presented else (None, False)


def bill_title(kind: str | None, number: int | None, year: int | None) -> str | None:
    """`PL 1234/2023`; parts that are unknown are left out."""
    reference = f"{number}/{year}" if number is not None and year is not None else str(number or year or "")
    return " ".join(part for part in (kind, reference) if part) or None


def author_row(item: Item) -> AuthorRow | None:
    """From an entry of `/autores`, or a bulk row renamed; None when nobody is named."""
    uri = as_text(item.get("uri"))
    # The name sometimes stands where the type should be, and the other way round is never seen.
    kind = as_text(item.get("tipo"))
    name = as_text(item.get("nome")) or kind
    if name is None:
        return None
    return {
        "author_key": author_key(uri, name, kind),
        "camara_author_id": deputy_id(uri),
        "name": name[:255],
        "author_type": kind,
        "uri": uri,
        "is_main_author": as_int(item.get("proponente")) == 1,
        "signature_order": as_int(item.get("ordemAssinatura")),
    }


def author_key(uri: str | None, name: str, kind: str | None) -> str:
    """What makes two author entries of one bill the same: the URI, else the case-folded name and type."""
    key = uri or f"{' '.join(name.split()).casefold()}|{' '.join((kind or '').split()).casefold()}"
    if len(key) <= KEY_LENGTH:
        return key
    return f"{key[: KEY_LENGTH - 41]}#{hashlib.sha256(key.encode()).hexdigest()[:40]}"


def ordered_authors(items: Iterable[Item]) -> list[AuthorRow]:
    """Without doubles; main proponents first, then by signature order, unknown orders last."""
    by_key: dict[str, AuthorRow] = {}
    for item in items:
        row = author_row(item)
        if row is None:
            continue
        known = by_key.get(row["author_key"])
        if known is None or _author_rank(row) < _author_rank(known):
            by_key[row["author_key"]] = row
    return sorted(by_key.values(), key=_author_rank)


def _author_rank(row: AuthorRow) -> tuple[bool, bool, int, str]:
    order = row["signature_order"]
    return not row["is_main_author"], order is None, order or 0, row["author_key"]


def limit_authors(authors: Sequence[AuthorRow], most: int, keep: frozenset[int] | set[int]) -> list[AuthorRow]:
    """The first `most` authors, and beyond them every deputy in `keep` (the matched candidates who sign)."""
    return [row for place, row in enumerate(authors) if place < most or row["camara_author_id"] in keep]


def topic_rows(items: Iterable[Item]) -> list[TopicRow]:
    """Topics by name, each once."""
    found: dict[str, TopicRow] = {}
    for item in items:
        name = as_text(item.get("tema"))
        if name is not None:
            found.setdefault(name, {"external_code": as_int(item.get("codTema")), "name": name[:255]})
    return sorted(found.values(), key=lambda row: row["name"])


def deputy_row(item: Item, history: Iterable[Item] = (), listed: ListedDeputy | None = None) -> DeputyRow:
    """From the `dados` of a deputy's detail and history; parties are all that either names, sorted."""
    camara_id = required_int(item, "id")
    status = item.get("ultimoStatus") or {}
    events = list(history)
    parties = {party(event.get("siglaPartido")) for event in [status, *events]} | ({listed.party} if listed else set())
    return {
        "camara_id": camara_id,
        "civil_name": as_text(item.get("nomeCivil")),
        "status_name": as_text(status.get("nome")),
        "electoral_name": as_text(status.get("nomeEleitoral")),
        "party": party(status.get("siglaPartido")) or (listed.party if listed else None),
        "state": _state(status.get("siglaUf")) or (listed.state if listed else None),
        "legislature": as_int(status.get("idLegislatura")) or (listed.legislature if listed else None),
        "parties_json": sorted(name for name in parties if name),
        "listing_hash": listed.listing_hash if listed else None,
        "source_url": as_text(item.get("uri")) or f"https://dadosabertos.camara.leg.br/api/v2/deputados/{camara_id}",
    }


def listed_row(listed: ListedDeputy) -> DeputyRow:
    """What the listing alone knows: kept when the detail answers 404, and asked again the next time."""
    return {
        "camara_id": listed.camara_id,
        "civil_name": None,
        "status_name": listed.name,
        "electoral_name": None,
        "party": listed.party,
        "state": listed.state,
        "legislature": listed.legislature,
        "parties_json": [listed.party] if listed.party else [],
        "listing_hash": None,
        "source_url": listed.uri,
    }


def listed_deputies(items: Iterable[Item]) -> list[ListedDeputy]:
    """One per deputy (the listing repeats who changed party or came back), in order of id."""
    by_id: dict[int, list[Item]] = {}
    for item in items:
        by_id.setdefault(required_int(item, "id"), []).append(item)
    return [_listed(camara_id, entries) for camara_id, entries in sorted(by_id.items())]


def _listed(camara_id: int, entries: list[Item]) -> ListedDeputy:
    newest = max(entries, key=lambda entry: as_int(entry.get("idLegislatura")) or 0)
    texts = sorted(repr(sorted(pair for pair in entry.items() if pair[0] not in NOT_LISTED)) for entry in entries)
    return ListedDeputy(
        camara_id=camara_id,
        name=as_text(newest.get("nome")),
        party=party(newest.get("siglaPartido")),
        state=_state(newest.get("siglaUf")),
        legislature=as_int(newest.get("idLegislatura")),
        listing_hash=hashlib.sha256("\n".join(texts).encode()).hexdigest(),
        uri=as_text(newest.get("uri")) or f"https://dadosabertos.camara.leg.br/api/v2/deputados/{camara_id}",
    )


def deputy_id(uri: str | None) -> int | None:
    """The deputy that an author URI names; None for bodies, the executive, nobody."""
    match = DEPUTY_URI.search(uri or "")
    return int(match[1]) if match else None


def id_of_uri(uri: str | None) -> int | None:
    """The number at the end of any API address."""
    match = LAST_NUMBER.search(uri or "")
    return int(match[1]) if match else None


def party(value: Any) -> str | None:
    """An acronym in upper case, whole again where the yearly files cut it; None for nothing."""
    text = as_text(value)
    if text is None:
        return None
    upper = text.upper().rstrip("*")
    return PARTY_ALIASES.get(upper, upper)


def as_text(value: Any) -> str | None:
    """Text with outer blanks gone; empty and null are the same None."""
    if value is None:
        return None
    text = str(value).strip()
    return text or None


def as_int(value: Any) -> int | None:
    """A whole number given as number or text; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return value
    text = str(value).strip()
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else None


def as_date(value: Any) -> date | None:
    """The date at the start of an ISO text; None when there is none."""
    text = as_text(value)
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


def as_minute(value: Any) -> str | None:
    """`YYYY-MM-DDTHH:MM`: the API gives minutes, the files seconds."""
    text = as_text(value)
    return text[:16] if text else None


def required_int(item: Item, name: str) -> int:
    """A number that an item cannot do without; SourceContractError RECORD_INVALID otherwise."""
    value = as_int(item.get(name))
    if value is None:
        raise SourceContractError(
            "RECORD_INVALID", f"an item of the Câmara has no number in `{name}`", hint="the source changed"
        )
    return value


def _state(value: Any) -> str | None:
    text = as_text(value)
    return text.upper() if text and len(text) == 2 else None
