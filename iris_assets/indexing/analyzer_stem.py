"""Light stemmers for folded Portuguese (no accents, lower case): written for words whose accents may be missing."""

from collections.abc import Callable
from functools import lru_cache

Stemmer = Callable[[str], str]

# (ending of the plural, ending of the singular, letters that must stand before it); the first that fits is used.
PLURALS = (
    ("oes", "ao", 2),
    ("aes", "ao", 2),
    ("ais", "al", 2),
    ("eis", "el", 2),
    ("ois", "ol", 2),
    ("uis", "ul", 2),
    ("ns", "m", 1),
    ("les", "l", 3),
    ("res", "r", 3),
    ("zes", "z", 2),
    ("is", "il", 2),
)
NOT_PLURAL = frozenset(
    (
        "onibus",
        "virus",
        "campus",
        "bonus",
        "onus",
        "deus",
        "jesus",
        "atlas",
        "lapis",
        "pires",
        "mais",
        "menos",
        "apenas",
        "antes",
        "atras",
    )
)

# Derivations, longest first: (suffix, what stays, letters that must stand before it).
SUFFIXES = tuple(
    sorted(
        (
            ("amento", "", 3),
            ("imento", "", 3),
            ("adora", "", 3),
            ("ador", "", 3),
            ("edor", "", 3),
            ("idor", "", 3),
            ("acao", "", 3),
            ("icao", "", 3),
            ("ucao", "u", 3),
            ("cao", "", 3),
            ("sao", "s", 3),
            ("ancia", "", 3),
            ("encia", "", 3),
            ("idade", "", 4),
            ("avel", "", 4),
            ("ivel", "", 4),
            ("mente", "", 4),
            ("ante", "", 4),
            ("ismo", "", 4),
            ("ista", "", 4),
            ("ativo", "", 4),
            ("ativa", "", 4),
            ("ario", "", 3),
            ("aria", "", 3),
            ("eiro", "", 3),
            ("eira", "", 3),
            ("oso", "", 4),
            ("osa", "", 4),
            ("ado", "", 3),
            ("ada", "", 3),
            ("ido", "", 3),
            ("ida", "", 3),
            ("ando", "", 3),
            ("endo", "", 3),
            ("indo", "", 3),
            ("ar", "", 3),
            ("er", "", 3),
            ("ir", "", 3),
        ),
        key=lambda rule: (-len(rule[0]), rule[0]),
    )
)


def fold_only(word: str) -> str:
    """No stemming: the folded word."""
    return word


@lru_cache(maxsize=200_000)
def plural(word: str) -> str:
    """`educacoes` → `educacao`, `papeis` → `papel`, `jovens` → `jovem`; words of three letters stay."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith("ss") or word in NOT_PLURAL or not word.isalpha():
        return word
    for ending, singular, before in PLURALS:
        if word.endswith(ending) and len(word) - len(ending) >= before:
            return word[: -len(ending)] + singular
    return word[:-1]


@lru_cache(maxsize=200_000)
def light(word: str) -> str:
    """Plural, then the final vowel of gender or theme: `professoras`, `professores` → `professor`."""
    word = plural(word)
    if len(word) > 4 and word.isalpha() and word[-1] in "aeo":
        return word[:-1]
    return word


@lru_cache(maxsize=200_000)
def strong(word: str) -> str:
    """Plural, a derivation, the final vowel: `contratacao`, `contratar`, `contratado` → `contrat`."""
    word = plural(word)
    if not word.isalpha():
        return word
    for suffix, stays, before in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= before:
            word = word[: -len(suffix)] + stays
            break
    if len(word) > 4 and word[-1] in "aeo":
        word = word[:-1]
    return word


def relatives(stem: str) -> tuple[str, ...]:
    """Stems of the same family that `strong` keeps apart: `vot` (votar) and `voto`, `autism` and `autist`, `saidinh` and `said`."""
    if stem.endswith(("ism", "ist")):
        return (stem[:-1] + ("t" if stem[-1] == "m" else "m"),)
    if stem.endswith("inh") and len(stem) > 5:
        return (stem[:-3],)
    if len(stem) == 4 and stem[-1] in "ao" and stem.isalpha():
        return (stem[:-1],)
    return (f"{stem}o", f"{stem}a") if len(stem) == 3 and stem.isalpha() else ()


STEMMERS: dict[str, Stemmer] = {"fold": fold_only, "plural": plural, "light": light, "strong": strong}
