"""Whether the restrictions of a clause can only be read one way: otherwise there is no number."""

import re
from typing import Final

from iris_assets.question.clauses import RESTRICTING, Words
from iris_assets.question.countables import Noun
from iris_assets.words.text import word_set

OF_BILLS: Final = frozenset({"bills", "authors", "topics"})


def is_clear(words: Words, noun: Noun, known: bool) -> bool:
    """Whether the restrictions of a clause can only be read one way.

    Several of one kind stand in one list; none is what bills are about or for, or of whom somebody else's party is;
    nobody is meant whom the question does not name (`known`: it names somebody).
    """
    if any(_is_scattered(words, tag) for tag in ("PERSON", "PARTY", "PLACE", "OFFICE", "YEAR")):
        return False
    text = " ".join(f"#{tag}" if tag in RESTRICTING or tag == "PERSON" else form for form, tag in words.pairs)
    either = re.findall(r"#(\w+) OU (?:D[OAE] |N[OA] |EM )?#(\w+)", text)
    if any(one != other for one, other in either) or re.search(_OF_SOMEBODY, text):
        return False
    if noun in OF_BILLS and re.search(
        r"\bJUNT[OA]S\b|"
        rf"(?<!\S)(?:{ABOUT}|PARA|PRO|PRA)(?: [OA]S?)? (?:#TOPIC (?:#TOPIC )*(?:E|OU) (?:[OA]S? )?)?"
        r"#(?:PARTY|PLACE|OFFICE|PERSON)",
        text,
    ):
        return False
    if noun == "authors" and re.search(r"#(?:PARTY|PLACE|OFFICE)", text.split("PROJETO")[0]):
        return False
    return known or noun == "candidates" or not re.search(SOMEBODY, words.text)


def _is_scattered(words: Words, tag: str) -> bool:
    """Whether the words of one kind do not stand in one list."""
    places = [at for at, own in enumerate(words.tags) if own == tag]
    between = range(places[0], places[-1]) if places else range(0)
    return any(words.tags[at] != tag and words.forms[at] not in LISTING for at in between)


ABOUT: Final = r"SOBRE|ACERCA D[EOA]|RELATIV[OA]S A|REFERENTES A|A RESPEITO D[EOA]|(?:QUE )?TRATAM D[EOA]"

SOMEBODY: Final = (
    r"(?<!CANDIDATOS )(?<!CANDIDATURAS )(?<!CANDIDATAS )\b(?:[OA]|D[OA]|PEL[OA]|CADA|[ND]?EST[EA]|[ND]?ESS[EA]) "
    r"(?:CANDIDAT[OA]|DEPUTAD[OA]|PARLAMENTAR|GOVERNADORA?|SENADORA?)\b"
    r"|\b(?:D?EL[EA]|SEU|SUA)S?\b"
)

_OF_SOMEBODY: Final = (
    r"\b(?:PARTIDO|LEGENDA|BANCADA|ESTADO|CARGO) D[EOA] #PERSON|\bCONTRA #PERSON"
    r"|\bJA (?:\w+ )?#OFFICE|\bERAM? #OFFICE"
)

LISTING: Final = word_set(
    "E OU NEM POR DO DA DE DOS DAS NO NA EM O A OS AS AO PELO PELA CANDIDATO CANDIDATA DEPUTADO DEPUTADA"
)
