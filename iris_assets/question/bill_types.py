"""Kinds of the Câmara's documents: its acronyms, how they are spelled out, and how a question writes them."""

import re
from functools import cache
from typing import Final

from iris_assets.words.bill_kinds import acronyms, by_acronym, kind_of, spelled_out

# Plain Portuguese words (ATA, ANEXO, PAR …) are no kinds by themselves: they become one when the store holds a document
# of that kind. "MP" is how people write MPV; no record has it.
BILL_TYPES: Final = acronyms() - {"MP"}
# A name of one word is a kind only before a number with its year ("Sugestão 145/2023", not "proposta 3").
_WITH_YEAR = r"(?=\s+(?:n\S{0,6}\s*)?\d[\d.]*\s*(?:/|,? de )\s*\d{2,4}(?!\d))"
_ALONE: Final = frozenset({"REQ", "INC"})
_PLURAL = re.compile(r"\b([A-Z]{2,5})s\b")
# Acronyms that small letters write like the plural of another: `pls` are several PL, who means the Senate's writes PLS.
_AMBIGUOUS: Final = sorted(name for name in BILL_TYPES if name[-1] == "S" and name[:-1] in BILL_TYPES)
_CAPITALS = re.compile(rf"\b(?:{'|'.join(_AMBIGUOUS)})\b")
_DOTTED = re.compile(r"(?<![\w.])((?:[a-z]\.\s?){1,5}[a-z])\.?(?!\w)")


def type_pattern(more: tuple[str, ...] = ()) -> str:
    """A pattern of one kind in folded text; `more` are kinds beyond the list (upper case)."""
    names = sorted({*BILL_TYPES, *more}, key=lambda name: (-len(name), name))
    spelled = "|".join(["mps?", *_names()])
    return rf"(?:(?:{spelled}|(?:{'|'.join(re.escape(name.lower()) for name in names)})s?)(?!(?!nº)[a-zº]))"


@cache
def _names() -> tuple[str, ...]:
    """Patterns of the names spelled out, of documents of the Câmara only."""
    kinds = by_acronym()
    named = [(pattern, name) for pattern, name in spelled_out() if not (kinds[name].norm or kinds[name].is_word)]
    return tuple(pattern + ("" if r"[\s-]+" in pattern or name in _ALONE else _WITH_YEAR) for pattern, name in named)


def type_of(text: str, more: tuple[str, ...] = ()) -> str:
    """The kind that `type_pattern` matched: `projetos de lei` → `PL`, `pecs` → `PEC`."""
    name = text.upper()
    if name in {*BILL_TYPES, *more} and name not in _AMBIGUOUS:
        return name
    kind = kind_of(text)
    return kind.acronym if kind and name.removesuffix("S") not in {*BILL_TYPES, *more} else name.removesuffix("S")


def without_plurals(question: str) -> str:
    """`PLs 460 e 461` → `PL 460 e 461`, `PLS 5` → `Projeto de Lei do Senado 5`, before the case of the letters is lost."""
    if not question.isupper():
        question = _CAPITALS.sub(lambda match: by_acronym()[match[0]].names[0], question)
    return _PLURAL.sub(lambda match: match[1] if match[1] in BILL_TYPES else match[0], question)


def without_dots(text: str) -> str:
    """`p.l. 403/2023` → `pl 403/2023` in folded text; other dotted letters stay."""

    def joined(match: re.Match[str]) -> str:
        name = re.sub(r"[.\s]", "", match[1])
        return name if name.upper() in BILL_TYPES else match[0]

    return _DOTTED.sub(joined, text)
