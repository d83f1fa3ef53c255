"""Questions that are refused before any model call: whom to vote for, best and worst, predictions, rankings, ideology.

The rule is deterministic and its text is fixed: the electoral court's Res. 23.610/2019 forbids to rank, recommend or
favour candidates even when asked.
"""

import re
import unicodedata

from iris_assets.question.refusal_rules import JUDGED, LABEL, MERIT, PATTERNS, SIDE
from iris_assets.words.text import fold as normalised

REFUSAL_TEXT = (
    "Não posso indicar em quem votar, dizer quem é melhor ou pior, fazer previsões ou rankings nem atribuir rótulos "
    "ideológicos a candidaturas. Posso mostrar, com citações, o que os registros oficiais dizem sobre cada "
    "candidatura: planos de governo, proposições e histórico político."
)
# A party's name holds words that are labels elsewhere.
PARTY_NAME = re.compile(
    r"\bPARTIDO (?:\w+ ){0,3}?(?:COMUNISTA|SOCIALISTA|LIBERAL|PROGRESSISTA|CONSERVADOR|RADICAL|IDEOLOGICO)S?\b"
    r"|(?<=\bDO )PROGRESSISTAS\b|(?<=\bPELO )PROGRESSISTAS\b|(?<=\bAO )PROGRESSISTAS\b|(?<=\bNO )PROGRESSISTAS\b"
)
SHORT_FORMS = {"Q": "QUE", "QM": "QUEM", "VC": "VOCE", "VCS": "VOCES", "PQ": "PORQUE", "PRA": "PARA", "PRO": "PARA O"}
SHORT_QUESTION = 10  # words: "fulano e comunista?" without the accent
# How to vote for somebody already chosen: the number, the place.
HOW_TO_VOTE = re.compile(r"\b(?:NUMERO (?:DE URNA )?PARA|ONDE (?:\w+ ){0,2}?|(?:DIGITAR|TECLAR) PARA) ?VOTAR\b")


# "lula e comunista", not "direita e esquerda": one judgement right behind, no label before. Several are said with "sao".
UNACCENTED = re.compile(
    rf"(?<!ISTA )(?<!MAIS )(?<!DIREITA )(?<!ESQUERDA )\bE (?=(?:(?:DE|DA|MAIS|MENOS|O|A|UM|UMA|MUITO) )*"
    rf"(?:(?!\w+S$)(?:{SIDE}|{LABEL})$|{MERIT}|FAVORIT[OA]"
    rf"|(?:BO[MA]|RUIM|HONEST[OA]|CORRUPT[OA]|LADRAO|PESSIM[OA])\b)|DE (?:{SIDE}|CENTRO\b)"
    rf"|(?:MAIS|MENOS) \w+ISTA$|UMA? POLITIC[OA] {LABEL}$)"
)
UNACCENTED_PLAN = re.compile(
    rf"^((?:O |A )?(?:PLANO|PROGRAMA)(?: DE GOVERNO(?: D[AEO] \w+(?: \w+)?)?| D[AO] \w+(?: \w+)?| DEL[AE])?) E (?={JUDGED}$)"
)


def refused(question: str) -> str | None:
    """The kind of a refused question (vote, merit, prediction, ranking, ideology), None for one that is answered."""
    return next((name for text in _readings(question) for name, pattern in PATTERNS if pattern.search(text)), None)


def _readings(question: str) -> list[str]:
    """Normalised text where the verb `é` (EH) is told from the conjunction `e`, short forms written out.

    A short question without any accent may have lost them: its `e` is read both ways.
    """
    visible = "".join(c for c in unicodedata.normalize("NFC", question) if unicodedata.category(c) != "Cf")
    marked = re.sub(r"(?<!\w)[Éé](?!\w)", " EH ", visible)
    text = " ".join(SHORT_FORMS.get(word, word) for word in normalised(marked).split())
    text = HOW_TO_VOTE.sub("", PARTY_NAME.sub("PARTIDO", text))
    if not visible.isascii() or len(text.split()) > SHORT_QUESTION:
        return [text]
    return [text, UNACCENTED_PLAN.sub(r"\1 EH ", UNACCENTED.sub("EH ", text))]
