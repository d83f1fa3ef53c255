"""What a question is after, by whole words and their plurals: plan, summary, history, bills, topics, how many."""

import re
from dataclasses import dataclass
from typing import Literal

from iris_assets.errors import UsageError
from iris_assets.question.bill_types import BILL_TYPES
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

ACRONYMS = "|".join(sorted(name for name in BILL_TYPES if name.isalpha()))
COUNTED_BILLS = (
    r"PROJETOS?|PROPOSIC(?:AO|OES)|LEIS?|REQUERIMENTOS?|INDICAC(?:AO|OES)|EMENDAS?|PROPOSTAS? DE EMENDAS?"
    rf"|MEDIDAS? PROVISORIAS?|(?:{ACRONYMS})S?"
)
# Who holds an office or runs for it; what the question counts of them must say that candidatures are meant.
PEOPLE = (
    r"DEPUTAD[OA]S|GOVERNADOR(?:ES|AS)|SENADOR(?:ES|AS)|PRESIDENTES|VEREADOR(?:ES|AS)|PREFEIT[OA]S|ELEIT[OA]S|SUPLENTES"
)

# The noun that follows "quantos/quantas/número de" within a few words.
COUNTED: tuple[tuple[Counted, str], ...] = (
    ("authors", r"AUTOR(?:ES|AS?)?|COAUTOR(?:ES|AS?)?|SIGNATARI[OA]S?"),
    ("candidates", rf"CANDIDAT[OA]S?|CANDIDATURAS?|{PEOPLE}"),
    ("plans", r"PLANOS? DE GOVERNO|PROGRAMAS? DE GOVERNO|PROPOSTAS? DE GOVERNO|PLANOS"),
    ("mandates", r"MANDATOS?"),
    ("topics", TOPIC),
    ("bills", COUNTED_BILLS),
)
HOW_MANY = r"(?:QUANT[OA]S|QN?T[OA]S|(?:QUAL (?:E )?)?O? ?(?:NUMERO(?! DE URNA)|TOTAL|QUANTIDADE) (?:TOTAL )?DE)"


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
    frequency = _has(FREQUENCY, text) and (_has(BILLS, bare) or not _has(PLAN, bare))
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


EVERYBODY = r"(?:PRE ?)?(?:CANDIDAT[OA]S|CANDIDATURAS|PRESIDENCIAVEIS|POSTULANTES)"
SOMEBODY = r"(?:PRE ?)?(?:CANDIDAT[OA]|CANDIDATURA|PRESIDENCIAVEL|POSTULANTE|CHAPA)"
SAY = (
    r"(?:PROPOEM|PROPUSERAM|PROMETEM|PROMETERAM|DEFENDEM|DIZEM|FALAM|PREVEEM|PRETENDEM|PLANEJAM|SUGEREM|QUEREM|PENSAM"
    r"|ACHAM|APRESENTAM|ABORDAM|TRATAM|CITAM|MENCIONAM|FARAO)"
)
SAYS = r"(?:PROPOE|PROPOS|PROMETE|PROMETEU|DEFENDE|DIZ|FALA|PREVE|PRETENDE|PLANEJA|SUGERE|QUER|PENSA|ACHA|APRESENTA)"
ALL = r"(?:TODOS(?: E TODAS)? OS|TODAS AS|TODOS|TODAS|OS|AS)"
EACH_CANDIDATE = (
    rf"CADA (?:UM D[OE]S? |UMA D[AE]S? )?(?:{SOMEBODY}S?|{EVERYBODY})"
    rf"|{ALL} (?:{EVERYBODY}|PLANOS DE GOVERNO) (?:\w+ ){{0,14}}?{SAY}"
    rf"|{SAY} (?:{ALL}) (?:{EVERYBODY})"
    rf"|(?:PROPOSTAS?|PLANOS?(?: DE GOVERNO)?|PROMESSAS) (?:DE TODOS OS|DE TODAS AS|DOS|DAS) (?:{EVERYBODY})"
    rf"|CADA (?:UM|UMA)(?: DELES| DELAS)? {SAYS}|(?:PROPOSTAS?|PLANOS?|POSIC(?:AO|OES)) DE CADA (?:UM|UMA)"
    rf"|COMPAR(?:E|AR|ACAO|A) (?:\w+ ){{0,5}}?(?:TODOS OS|TODAS AS|OS|AS|DOS|DAS) {EVERYBODY}"
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
