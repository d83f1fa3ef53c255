"""What can be counted or grouped by, and how a question names it."""

from functools import lru_cache
from typing import Final, Literal

from iris_assets.question.clauses import Words
from iris_assets.question.parsed import ParsedQuery
from iris_assets.words.bill_kinds import acronyms, by_acronym, spelled_out
from iris_assets.words.text import word_set

Noun = Literal["bills", "authors", "candidates", "plans", "mandates", "topics"]

By = Literal[
    "party", "state", "office", "round_result", "registration_status", "election_year", "type", "year", "topic"
]

BILLS = r"PROJETOS?(?: DE LEI)?|PROPOSIC(?:AO|OES)(?: LEGISLATIVAS?)?|MATERIAS? LEGISLATIVAS?|PROPOSTAS? LEGISLATIVAS?"

NOUNS: Final[tuple[tuple[Noun, str], ...]] = (
    ("authors", r"(?:CO ?)?AUTOR(?:ES|AS?)?|SIGNATARI[OA]S?"),
    ("plans", r"(?:PLANOS?|PROGRAMAS?|PROPOSTAS?)(?: DE GOVERNO)?"),
    ("mandates", r"(?:REGISTROS? DE )?MANDATOS?"),
    (
        "topics",
        r"(?:TEMAS?|ASSUNTOS?|TOPICOS?|TEMATICAS?)(?: DIFERENTES)?|(?:MAIS )?(?:PRINCIPA(?:L|IS)|RECORRENTES?|FREQUENTES?|COMUNS"
        r"|ABORDADOS|TRATADOS)",
    ),
    ("bills", BILLS),
    ("candidates", r"(?:PRE ?)?CANDIDAT[OA]S?(?: [AO]S?)?|CANDIDATURAS?|PESSOAS?|GENTE|CONCORRENTES?|POSTULANTES?|NOMES?"),
)  # fmt: skip

HOW_MANY: Final = r"QUANT[OA]S?|QN?T[OA]S?|QTD\w*|QUANTIDADES?|NUMEROS?|TOTAL|TOTAIS|CONTAGEM|CONTAGENS|SOMA"

SHOWN: Final = {
    "bills": ("proposição", "proposições"),
    "authors": ("autor", "autores"),
    "candidates": ("candidatura", "candidaturas"),
    "plans": ("plano de governo", "planos de governo"),
    "mandates": ("registro de mandato", "registros de mandato"),
    "topics": ("tema", "temas"),
}

GROUPS: Final[tuple[tuple[By, str], ...]] = (
    ("party", "PARTIDOS?|LEGENDAS?|SIGLAS?|AGREMIAC(?:AO|OES)"), ("state", "UFS?|ESTADOS?|UNIDADES? DA FEDERACAO"),
    ("office", "CARGOS?"), ("round_result", "RESULTADOS?"), ("registration_status", "SITUAC(?:AO|OES)"),
    ("election_year", "ELEIC(?:AO|OES)"), ("year", "ANOS?"), ("type", "TIPOS?|ESPECIES?"), ("topic", "TEMAS?|ASSUNTOS?"),
)  # fmt: skip

GROUPED: Final = r"(?:POR|(?:DE|EM|PARA)? ?CADA|SEPARAD[OA]S? POR|DIVIDID[OA]S? POR|AGRUPAD[OA]S? POR)(?: CADA)?"

# Where all counted records are: it restricts nothing. "Na base do governo" does.
STORED: Final = (
    r"N[OA]S? (?:(?:NOSS|TU|SU|VOSS|DEST|DESS)[OA]S? )?(?:(?:BASES?|BANCOS?) DE DADOS|BASE|BANCO|ACERVO|SISTEMA|ARQUIVO)"
    r"(?! (?:D[OAE]S?|ALIADA|GOVERNISTA)\b)"
)

NAMED_KINDS: Final = word_set("PL PLP PLV PDL PRC PEC MPV RIC REQ INC")


def kinds_named(parsed: ParsedQuery) -> tuple[str, ...]:
    """The kinds of bills that a question names; none: all of them."""
    return types_named(Words(parsed.words))


def types_named(words: Words) -> tuple[str, ...]:
    """The kinds of bills that the words name; "projetos" alone are all of them."""
    found = {acronym for pattern, acronym in _spelled_kinds() if words.take(pattern)}
    for at, (form, tag) in enumerate(words.pairs):
        # The plural of PL is spelled as the Senate's PLS; the records are the Câmara's.
        one = next((name for name in (form.removesuffix("S"), form) if name in acronyms()), None)
        is_kind = tag != "PARTY" or one != form or words.forms[max(at - 2, 0) : at] == ["NUMERO", "DE"]
        if one is not None and is_kind and not words.taken[at]:
            words.taken[at], words.tags[at] = True, "FRAME"
            found.add(by_acronym()[one].acronym)
    return tuple(sorted(found))


@lru_cache(maxsize=1)
def _spelled_kinds() -> tuple[tuple[str, str], ...]:
    """(pattern in folded text, acronym) of the kinds that a name of their own tells apart."""
    return tuple(
        (pattern.upper().replace(r"[\S-]", r"[\s-]"), acronym)
        for pattern, acronym in spelled_out()
        if acronym in NAMED_KINDS
    )


def grouped_by(words: Words) -> By | None:
    """The column by which a count is asked for; None for one number."""
    for by, pattern in GROUPS:
        if words.take(rf"{GROUPED} (?:{pattern})"):
            return by
    return None


def counted(noun: str, count: int) -> str:
    """What is counted, as an answer says it: `proposição` for one, `proposições` otherwise."""
    return SHOWN[noun][count != 1]
