"""Candidates side by side: the same rows and the same quota for everybody, in neutral order, never by score."""

import csv
import io
from collections import Counter
from collections.abc import Sequence

from iris_assets.answers.wording import worded
from iris_assets.platform import Platform
from iris_assets.retrieval.absence import absence
from iris_assets.retrieval.evidence import candidate_ref
from iris_assets.retrieval.order import ORDER_NOTICE, by_ballot_name
from iris_assets.retrieval.types import CandidateRef
from iris_assets.web.records import candidate_profile, candidate_row, document_summary
from iris_assets.web.schemas import ComparedCandidate, ComparedPassage, ComparisonReply
from iris_assets.words.messages import notice

QUOTA = 3
TOPICS = 5
NOTHING = notice("NOTHING_ON_TOPIC")


def compare(platform: Platform, tse_ids: Sequence[str], topic: str) -> ComparisonReply:
    """The comparison of these candidates on a topic (without one: profiles, plans and bill topics only)."""
    rows = {tse_id: candidate_row(platform.store, tse_id, None) for tse_id in tse_ids}
    ordered = by_ballot_name(candidate_ref(row) for row in rows.values())
    columns = [_column(platform, candidate, topic) for candidate in ordered]
    notices = [ORDER_NOTICE]
    if topic.strip():
        notices.append(
            f"No máximo {QUOTA} trechos por candidatura; a falta de trecho não prova que o tema está ausente."
        )
    return ComparisonReply(order="ballot_name", topic=topic, columns=columns, notices=notices)


def _column(platform: Platform, candidate: CandidateRef, topic: str) -> ComparedCandidate:
    row = candidate_row(platform.store, candidate.tse_id, candidate.year)
    bills = platform.store.camara.bills_of_candidate(row["id"])
    topics = Counter(item["name"] for bill in bills for item in bill["topics"])
    frequent = sorted(topics.items(), key=lambda item: (-item[1], item[0]))[:TOPICS]
    passages = _passages(platform, candidate, topic) if topic.strip() else []
    return ComparedCandidate(
        candidate=candidate_profile(platform.store, row),
        documents=[document_summary(document) for document in platform.store.documents.of_candidate(row["id"])],
        passages=passages,
        absence=absence(platform.store, candidate).text if topic.strip() and not passages else None,
        topics=[f"{name} ({count})" for name, count in frequent],
    )


def _passages(platform: Platform, candidate: CandidateRef, topic: str) -> list[ComparedPassage]:
    found = platform.retrieval.search(topic, candidate=candidate.tse_id, top_k=2 * QUOTA)
    said = {worded(topic, one): one for one in reversed(found.results) if one.quote or one.source is None}
    return [
        ComparedPassage(
            evidence_id=evidence.evidence_id,
            source_type=evidence.source_type,
            source_id=evidence.source_id,
            title=evidence.title,
            excerpt=text,
            heading=evidence.heading,
            page_start=evidence.page_start,
            page_end=evidence.page_end,
            url=evidence.url,
        )
        for text, evidence in reversed(said.items())
    ][:QUOTA]


def table(reply: ComparisonReply) -> list[list[str]]:
    """The comparison as rows of cells, the first row its head."""
    columns = reply.columns
    rows = [
        ["", *(column.candidate.label for column in columns)],
        ["Nome civil", *(column.candidate.name for column in columns)],
        ["Situação do registro", *(column.candidate.registration_status or "não informada" for column in columns)],
        ["Câmara dos Deputados", *(column.candidate.match_text for column in columns)],
        ["Planos de governo", *(str(len(column.documents)) for column in columns)],
        ["Proposições", *(str(column.candidate.proposition_count) for column in columns)],
        ["Temas das proposições", *("; ".join(column.topics) or "nenhum" for column in columns)],
    ]
    if reply.topic.strip():
        rows.append([f"Sobre: {reply.topic}", *(_passage_cell(column) for column in columns)])
    return rows


def _passage_cell(column: ComparedCandidate) -> str:
    return " / ".join(f"{p.title}{_pages(p)}: {p.excerpt}" for p in column.passages) or column.absence or NOTHING


def _pages(passage: ComparedPassage) -> str:
    first, last = passage.page_start, passage.page_end
    return f", p. {first}" + (f"–{last}" if last != first else "") if first else ""


def as_markdown(reply: ComparisonReply) -> str:
    """The table in Markdown, with what it says of its order."""
    head, *body = [[_markdown_cell(cell) for cell in row] for row in table(reply)]
    lines = [head, ["---"] * len(head), *body]
    return (
        "\n".join(f"| {' | '.join(row)} |" for row in lines)
        + "".join(f"\n\n{notice}" for notice in reply.notices)
        + "\n"
    )


def as_csv(reply: ComparisonReply) -> str:
    """The table as CSV; a cell that a spreadsheet would run as a formula is made text."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerows([_csv_cell(cell) for cell in row] for row in table(reply))
    return out.getvalue()


def _markdown_cell(cell: str) -> str:
    text = " ".join(cell.split()).replace("\\", "\\\\")
    for char in "|<>[]*_`":
        text = text.replace(char, f"\\{char}")
    return text


def _csv_cell(cell: str) -> str:
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
