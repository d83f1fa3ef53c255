"""The fixed sentences of answers that no model writes."""

from iris_assets.answers.context import escape
from iris_assets.retrieval.types import CandidateRef
from iris_assets.words.messages import notice

NO_EVIDENCE = notice("NO_EVIDENCE_TEXT")
NOTHING_VERIFIED = notice("NOTHING_VERIFIED")
REPLACED = notice("REPLACED_BY_EXCERPTS")
NO_EVIDENCE_NOTICE = notice("NO_EVIDENCE")
EXTRACT_NOTICE = notice("EXTRACT")
FAILED_NOTICE = notice("EXTRACT_AFTER_FAILURE")
NOT_STORED_NOTICE = notice("NOT_STORED")
UNOFFICIAL_NOTICE = notice("UNOFFICIAL")

MATCH_WORDS = {
    "MATCHED": "identificada com segurança como deputado(a) federal na Câmara",
    "REVIEW": "possível correspondência com deputado(a) federal, ainda em revisão humana",
    "UNMATCHED": "sem correspondência com deputados federais na Câmara",
}


def match_words(status: str | None) -> str:
    """The match status in plain words; None has not been compared yet."""
    return MATCH_WORDS.get(status or "", "ainda não comparada com os registros da Câmara")


def clarification_text(choices: tuple[CandidateRef, ...]) -> str:
    """Asks which candidate is meant."""
    lines = [f"- {escape(choice.label)}" for choice in choices]
    return "Mais de uma candidatura corresponde a esse nome. Sobre qual delas é a pergunta?\n" + "\n".join(lines)


def profile_text(label: str, year: int, record: str, match_status: str | None, absent: str = "") -> str:
    """What the registry says of a candidate about whom nothing else was found, and why; `record` is its cited line."""
    lines = [f"{escape(label)}: {absent}.", ""] if absent else []
    lines += [f"Registro eleitoral de {escape(label)}, eleição {year}:", record]
    lines += [f"- Câmara dos Deputados: {match_words(match_status)}", ""]
    return "\n".join(
        [*lines, "Nada mais foi encontrado sobre esta pergunta nos registros guardados desta candidatura."]
    )
