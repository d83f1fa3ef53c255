"""Kinds of the Câmara's documents: its acronyms, how they are spelled out, and how a question writes them."""

import re
from typing import Final

from iris_assets.retrieval.text import word_set

# The Câmara's list of acronyms, and the ones that its files hold beside it. Plain Portuguese words (ATA, ANEXO, PAR,
# TER, DEF, MAN …) are no kinds by themselves: they become one when the store holds a document of that kind.
BILL_TYPES: Final = word_set(
    """
    AA ADD APJ ATC AVN CAC CAE CCN CMC COI CON CRVITAEDOC CST CVO CVR DCR DEC DOC DOCCPI DTQ DVT EAG EMA EMC EMC-A EMD
    EML EMO EMP EMPV EMR EMRP EMS EPP ERD ERD-A ERR ESB IAN INA INC MAD MCN MIP MMP MPV MSC MSF MSG MST MTC NIC OBJ OFE
    OFJ OFN OFS P.C PARF PCA PDA PDC PDL PDN PDS PEA PEC PEP PES PET PFC PIN PL PLC PLN PLP PLS PLV PPP PPR PR/CNJ
    PR/CNMP PRA PRC PRF PRL PRLE PRLP PRLP(V) PRN PRP PRR PRST PRT PRV PRVP PSS R.C RAT RCEL RCEX RCM RCP RDF RDV REC
    REL REL-A REM REP REQ RFP RGT RIC RIN RLF RLP RLP(R) RLP(V) RPA RPD RPL RPLE RPLOA RQA RQC RQN RQP RRC RRL RRR RST
    RVC SBE SBE-A SBR SBT SBT-A SDL SGM SIP SIT SLD SOA SOR SPA SPA-R SPP SPP-R SRL SSP SUC SUG TVR VTS
    """
)
# Folded, the longer first.
SPELLED_OUT: Final = (
    (r"projetos? de lei complementar", "PLP"),
    (r"projetos? de lei de conversao", "PLV"),
    (r"projetos? de decreto legislativo", "PDL"),
    (r"projetos? de resolucao", "PRC"),
    (r"projetos? de lei", "PL"),
    (r"propostas? de emendas? (?:a constituicao|constituciona(?:l|is))", "PEC"),
    (r"medidas? provisorias?", "MPV"),
    (r"requerimentos? de informac(?:ao|oes)", "RIC"),
    (r"requerimentos?", "REQ"),
    (r"indicac(?:ao|oes)", "INC"),
    (r"mps?", "MPV"),
)
_PLURAL = re.compile(r"\b([A-Z]{2,5})s\b")
_DOTTED = re.compile(r"(?<![\w.])((?:[a-z]\.\s?){1,5}[a-z])\.?(?!\w)")


def type_pattern(more: tuple[str, ...] = ()) -> str:
    """A pattern of one kind in folded text; `more` are kinds beyond the list (upper case)."""
    acronyms = sorted({*BILL_TYPES, *more}, key=lambda name: (-len(name), name))
    spelled = "|".join(pattern for pattern, _ in SPELLED_OUT)
    return rf"(?:(?:{spelled}|(?:{'|'.join(re.escape(name.lower()) for name in acronyms)})s?)(?!(?!nº)[a-zº]))"


def type_of(text: str, more: tuple[str, ...] = ()) -> str:
    """The kind that `type_pattern` matched: `projetos de lei` → `PL`, `pecs` → `PEC`."""
    for pattern, name in SPELLED_OUT:
        if re.fullmatch(pattern, text):
            return name
    name = text.upper()
    # Small letters do not tell the plural of PL from the Senate's PLS; the records are the Câmara's.
    return name if name in {*BILL_TYPES, *more} and text != "pls" else name.removesuffix("S")


def without_plurals(question: str) -> str:
    """`PLs 460 e 461` → `PL 460 e 461`, before the case of the letters is lost."""
    return _PLURAL.sub(lambda match: match[1] if match[1] in BILL_TYPES else match[0], question)


def without_dots(text: str) -> str:
    """`p.l. 403/2023` → `pl 403/2023` in folded text; other dotted letters stay."""

    def joined(match: re.Match[str]) -> str:
        name = re.sub(r"[.\s]", "", match[1])
        return name if name.upper() in BILL_TYPES else match[0]

    return _DOTTED.sub(joined, text)
