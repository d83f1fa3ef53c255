"""Whether a sentence and the place it rests on differ in a negation or in a direction: doubts, no proofs."""

import re

_NEGATION = re.compile(
    r"\b(?:nao|nunca|jamais|nenhum|nenhuma|nem|tampouco|sem|contra|falso|falsa|mentira|deix(?:a|ou|ara|ar|aremos|am) de"
    r"|proib\w+|ved(?:a|ar|ado|ada)|neg(?:a|ou|am|ar)|recus\w+|rejeit\w+|descart\w+|exclu(?:i|em|ir|iu|ira)"
    r"|desist\w+|renunci\w+|abandon(?:a|ou|ar|ara)|cancel(?:a|ou|ar|ara)|suspend\w+|revog(?:a|ou|ar|ara))\b"
)
_OPPOSITES = tuple(
    (re.compile(rf"\b(?:{first})\w*"), re.compile(rf"\b(?:{second})\w*"))
    for first, second in (
        ("aument|ampli|expan|elev|cresc", "reduz|reduc|diminu|cort|baix"),
        ("privatiz", "estatiz|reestatiz"),
        ("cria|criem|construi|constru[ca]|abri|abre|instal|implant|inaugur", "extin|fech|encerr|elimin|demol"),
        ("contrat", "demit|demiss|exoner"),
        ("permit|autoriz|liber", "proib|vedar|veda|imped"),
        ("aprov", "rejeit|reprov|arquiv"),
        ("a favor|apoia|defend", "contra(?![a-z])|opoe|opor|combat"),
        ("isen", "tribut|taxa"),
    )
)


def negation_differs(said: str, written: str) -> bool:
    """Whether only one of two accent-free lower-case texts negates."""
    return (_NEGATION.search(said) is None) != (_NEGATION.search(written) is None)


def direction_differs(said: str, written: str) -> bool:
    """Whether one text raises what the other lowers (builds and closes, allows and forbids …)."""
    return any(_only(a, b, said) and _only(b, a, written) for x, y in _OPPOSITES for a, b in ((x, y), (y, x)))


def _only(wanted: re.Pattern[str], other: re.Pattern[str], text: str) -> bool:
    return wanted.search(text) is not None and other.search(text) is None
