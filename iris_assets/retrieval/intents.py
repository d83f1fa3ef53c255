"""What a question is after, by whole words and their plurals: plan, summary, history, bills, topics, how many."""

import re
from dataclasses import dataclass
from typing import Literal

from iris_assets.errors import UsageError
from iris_assets.retrieval.text import normalised
from iris_assets.retrieval.types import GOVERNMENT_PROPOSAL, NEWS_ARTICLE, POLITICAL_HISTORY, PROPOSITION

SOURCE_TYPE_ALIASES = {
    "PROPOSITION": PROPOSITION,
    "PROPOSICAO": PROPOSITION,
    "PROPOSICOES": PROPOSITION,
    "PROJETO": PROPOSITION,
    "PROJETOS": PROPOSITION,
    "GOVERNMENT PROPOSAL": GOVERNMENT_PROPOSAL,
    "PROPOSTA GOVERNO": GOVERNMENT_PROPOSAL,
    "PROPOSTA DE GOVERNO": GOVERNMENT_PROPOSAL,
    "PLANO DE GOVERNO": GOVERNMENT_PROPOSAL,
    "PLANO GOVERNO": GOVERNMENT_PROPOSAL,
    "POLITICAL HISTORY": POLITICAL_HISTORY,
    "HISTORICO POLITICO": POLITICAL_HISTORY,
    "HISTORICO": POLITICAL_HISTORY,
    "NEWS ARTICLE": NEWS_ARTICLE,
    "NOTICIA": NEWS_ARTICLE,
    "NOTICIAS": NEWS_ARTICLE,
}

Counted = Literal["bills", "authors", "candidates", "plans", "mandates", "topics"]

PLAN = r"PLANOS?|PROGRAMAS?|PROPOSTAS?|DIRETRIZ(?:ES)?"
SUMMARY = r"RESUMOS?|RESUMA|RESUMAM|RESUMIR|RESUME|SINTESES?|SINTETIZE|VIS(?:AO|OES) GERA(?:L|IS)|PANORAMAS?"
HISTORY = r"HISTORICOS?|MANDATOS?|CARREIRAS?|TRAJETORIAS?"
BILLS = r"PROJETOS?|PROPOSIC(?:AO|OES)|EMENTAS?|LEI|LEIS"
TOPIC = r"TEMAS?|ASSUNTOS?|TOPICOS?"
OFTEN = (
    r"PRINCIPA(?:L|IS)|MAIS FREQUENTES?|MAIS COMUNS|MAIS RECORRENTES|RECORRENTES?|FREQUENTES?"
    r"|MAIS ABORDADOS|MAIS TRATADOS"
)
FREQUENCY = (
    rf"(?:{OFTEN}) (?:\w+ ){{0,2}}?(?:{TOPIC})|(?:{TOPIC}) (?:SAO )?(?:OS )?(?:{OFTEN})"
    rf"|FREQUENCIA (?:DE|DOS) (?:{TOPIC})"
)
NEWS = r"NOTICIAS?|REPORTAG(?:EM|ENS)|IMPRENSA"
AMENDMENT = r"PROPOSTAS? DE EMENDAS?"  # a bill, not a plan
PLAN_NAMED = r"(?:PLANOS?|PROGRAMAS?|PROPOSTAS?) DE GOVERNO"

COUNTED_BILLS = (
    r"PROJETOS?|PROPOSIC(?:AO|OES)|LEIS?|PLS?|PLPS?|PECS?|PDLS?|REQS?|REQUERIMENTOS?|INDICAC(?:AO|OES)"
    r"|EMENDAS?|PROPOSTAS? DE EMENDAS?"
)

# The noun that follows "quantos/quantas/número de" within a few words.
COUNTED: tuple[tuple[Counted, str], ...] = (
    ("authors", r"AUTOR(?:ES|AS?)?|COAUTOR(?:ES|AS?)?|SIGNATARI[OA]S?"),
    ("candidates", r"CANDIDAT[OA]S?|CANDIDATURAS?"),
    ("plans", r"PLANOS? DE GOVERNO|PROGRAMAS? DE GOVERNO|PROPOSTAS? DE GOVERNO|PLANOS"),
    ("mandates", r"MANDATOS?"),
    ("topics", TOPIC),
    ("bills", COUNTED_BILLS),
)
HOW_MANY = r"(?:QUANT[OA]S|(?:QUAL (?:E )?)?O? ?(?:NUMERO(?! DE URNA)|TOTAL|QUANTIDADE) (?:TOTAL )?DE)"


@dataclass(frozen=True, slots=True)
class Signals:
    """Which groups of words a question holds."""

    plan: bool
    summary: bool
    history: bool
    bills: bool
    topics: bool
    news: bool
    counted: Counted | None
    each_candidate: bool


def read_signals(question: str) -> Signals:
    """The signals of a question, whatever its case and accents."""
    text = normalised(question)
    bare = re.sub(rf"\b(?:{AMENDMENT})\b", "PROJETO", text)
    frequency = _has(FREQUENCY, text) and (_has(BILLS, bare) or not _has(PLAN_NAMED, bare))
    return Signals(
        plan=_has(PLAN, bare),
        summary=_has(SUMMARY, text),
        history=_has(HISTORY, text),
        bills=_has(BILLS, bare),
        topics=frequency,
        news=_has(NEWS, text),
        counted=counted_noun(text),
        each_candidate=_has(EACH_CANDIDATE, text),
    )


EACH_CANDIDATE = (
    r"CADA (?:UM DOS |UMA DAS )?(?:CANDIDAT[OA]S?|PRESIDENCIAVEL|PRESIDENCIAVEIS|CANDIDATURAS?)"
    r"|(?:TODOS OS|TODAS AS|OS|AS) (?:CANDIDAT[OA]S|PRESIDENCIAVEIS|PLANOS DE GOVERNO) "
    r"(?:\w+ ){0,4}?(?:PROPOEM|PROMETEM|DEFENDEM|DIZEM|FALAM|PREVEEM)"
    r"|(?:PROPOEM|PROMETEM|DEFENDEM|DIZEM) (?:TODOS )?(?:OS|AS) (?:CANDIDAT[OA]S|PRESIDENCIAVEIS)"
)


def counted_noun(text: str) -> Counted | None:
    """What a normalised "how many" question counts; None when it counts something that no table holds."""
    asked = re.search(rf"\b{HOW_MANY} ((?:\w+ ?){{1,6}})", text)
    if asked is None:
        return None
    found = [
        (match.start(), kind)
        for kind, noun in COUNTED
        if (match := re.search(rf"\b(?:{noun})\b", asked[1])) is not None
    ]
    return min(found)[1] if found and min(found)[0] <= LONGEST_ADJECTIVE else None


LONGEST_ADJECTIVE = 16  # characters between "quantos" and its noun: "diferentes", "outros grandes"


def source_type(name: str) -> str:
    """The source type of a name or alias; UsageError SOURCE_TYPE_UNKNOWN for any other."""
    found = SOURCE_TYPE_ALIASES.get(normalised(name))
    if found is None:
        raise UsageError(
            "SOURCE_TYPE_UNKNOWN",
            f"unknown source type: {name}",
            hint=f"use one of {PROPOSITION}, {GOVERNMENT_PROPOSAL}, {POLITICAL_HISTORY}, {NEWS_ARTICLE}",
        )
    return found


def _has(pattern: str, text: str) -> bool:
    return re.search(rf"\b(?:{pattern})\b", text) is not None
