"""What one evidence says to a reader: a plan's own sentences, a bill or a period of office told from its record."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from iris_assets.retrieval.types import Evidence
from iris_assets.ufs import UF_NAMES
from iris_assets.words.source_kinds import CANDIDATE_RECORD, POLITICAL_HISTORY, PROPOSITION
from iris_assets.words.text import fold, word_set

AUTHORS_SHOWN: Final = 5
# What of a bill is asked for; without such a word it is what the bill is about.
_WHO: Final = word_set(
    "AUTOR AUTORA AUTORES AUTORAS AUTORIA ASSINA ASSINAM ASSINOU ASSINARAM APRESENTOU PROPOS COAUTORES QUEM"
)
_STATE: Final = word_set(
    "SITUACAO STATUS TRAMITACAO TRAMITA TRAMITANDO TRAMITOU ANDAMENTO PE FASE ESTAGIO APROVADO APROVADA ARQUIVADO "
    "ARQUIVADA VIROU PARADO PARADA"
)


def worded(question: str, evidence: Evidence) -> str:
    """The text of an evidence in one line; the asked part first where it is a record."""
    if evidence.source_type == PROPOSITION and not evidence.record_missing:
        return bill_text(question, evidence.structured)
    if evidence.source_type == POLITICAL_HISTORY and not evidence.record_missing:
        return history_text(evidence.structured)
    if evidence.source_type == CANDIDATE_RECORD:
        return record_text(evidence.structured)
    return evidence.quote or " ".join(evidence.content.split())


def bill_text(question: str, facts: Mapping[str, Any]) -> str:
    """What a bill is about, who signs it and where it stands, the asked part first."""
    parts = {
        "about": _sentence(" ".join(str(facts.get("summary") or "").split())),
        "who": authors_text(facts.get("authors") or (), facts.get("author_total")),
        "state": _state(facts),
        "topics": f"Temas: {'; '.join(facts['topics'])}." if facts.get("topics") else "",
        "since": f"Apresentação: {_day(facts['presentation_date'])}." if facts.get("presentation_date") else "",
    }
    order = [_asked_first(question), "about", "who", "state", "since", "topics"]
    return " ".join(parts[name] for name in dict.fromkeys(order) if parts[name])


def authors_text(authors: Sequence[Mapping[str, Any]], total: int | None = None) -> str:
    """The first authors by name and how many more sign."""
    names = [str(author["name"]) for author in authors]
    shown = names[:AUTHORS_SHOWN]
    more = max(total or 0, len(names)) - len(shown)
    if not shown:
        return ""
    label = "Autoria" if len(names) == 1 and more <= 0 else "Autores"
    return f"{label}: {'; '.join(shown)}{f' e mais {more}' if more > 0 else ''}."


def history_text(facts: Mapping[str, Any]) -> str:
    """A period of office: position, institution, party and state, its days as far as the record has them, else its years."""
    told = _day if facts.get("date_precision") == "DAY" else _year
    dates = [told(facts[key]) for key in ("start_date", "end_date") if facts.get(key)]
    period = (
        f"desde {dates[0]}" if told is _day and not facts.get("end_date") and dates else "–".join(dict.fromkeys(dates))
    )
    place = "/".join(str(facts[key]) for key in ("party", "state") if facts.get(key))
    said = [
        facts.get("position"),
        facts.get("institution"),
        place,
        facts.get("municipality"),
        period,
        facts.get("status"),
    ]
    return _sentence(", ".join(" ".join(str(part).split()) for part in said if part))


def record_text(facts: Mapping[str, Any]) -> str:
    """A candidacy: the civil name, party, office, place, number and election, who is on the ticket, what came of it."""
    place = f"{facts['town']}/{facts['state']}" if facts.get("town") else UF_NAMES.get(facts["state"], facts["state"])
    number = f", com o número {facts['number']}" if facts.get("number") else ""
    party = f"pelo partido {facts['party']}" if facts.get("party") else "sem partido registrado"
    said = [
        f"{facts['name']}, {party}, candidatura a {facts['office']} ({place}){number}, na eleição de {facts['election_year']}"
    ]
    said += [f"na mesma chapa, {one['office']}: {one['name']} ({one['party']})" for one in facts.get("ticket") or ()]
    said += [f"o registro consta como {facts['registration_status']}"] if facts.get("registration_status") else []
    said += [f"o resultado consta como {facts['round_result']}"] if facts.get("round_result") else []
    said += ["a candidatura foi retirada da lista do TSE"] if facts.get("removed_at_source") else []
    return _sentence("; ".join(said))


def _asked_first(question: str) -> str:
    asked = set(fold(question).split())
    if asked & _STATE:
        return "state"
    # "Homenagem a quem?" asks what it is about: only a question that opens with it asks for the authors.
    return "who" if asked & (_WHO - {"QUEM"}) or re.match(r"\W*(?:de )?quem\b", question, re.IGNORECASE) else "about"


def _state(facts: Mapping[str, Any]) -> str:
    if not facts.get("status"):
        return ""
    day = f" (em {_day(facts['status_at'])})" if facts.get("status_at") else ""
    return f"Situação: {' '.join(str(facts['status']).split())}{day}."


def _year(value: object) -> str:
    return str(value)[:4]


def _day(value: object) -> str:
    try:
        return f"{date.fromisoformat(str(value)[:10]):%d/%m/%Y}"
    except ValueError:
        return str(value)


def _sentence(text: str) -> str:
    return f"{text}." if text and text[-1] not in ".!?…" else text
