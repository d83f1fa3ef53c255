"""Numbers in Portuguese text, whichever way they are written: 1.500, 1500, 1,5 mil, mil e quinhentos, 30 %."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal

PLAIN, PERCENT, MONEY = "plain", "percent", "money"

_WORDS = {
    "zero": 0, "um": 1, "uma": 1, "dois": 2, "duas": 2, "tres": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7,
    "oito": 8, "nove": 9, "dez": 10, "onze": 11, "doze": 12, "treze": 13, "quatorze": 14, "catorze": 14, "quinze": 15,
    "dezesseis": 16, "dezessete": 17, "dezoito": 18, "dezenove": 19, "vinte": 20, "trinta": 30, "quarenta": 40,
    "cinquenta": 50, "sessenta": 60, "setenta": 70, "oitenta": 80, "noventa": 90, "cem": 100, "cento": 100,
    "duzentos": 200, "duzentas": 200, "trezentos": 300, "trezentas": 300, "quatrocentos": 400, "quatrocentas": 400,
    "quinhentos": 500, "quinhentas": 500, "seiscentos": 600, "seiscentas": 600, "setecentos": 700, "setecentas": 700,
    "oitocentos": 800, "oitocentas": 800, "novecentos": 900, "novecentas": 900,
}  # fmt: skip
_SCALES = {
    "mil": 10**3, "milhao": 10**6, "milhoes": 10**6, "mi": 10**6, "bilhao": 10**9, "bilhoes": 10**9, "bi": 10**9,
    "trilhao": 10**12, "trilhoes": 10**12, "tri": 10**12,
}  # fmt: skip
_SCALE = r"(?:milhao|milhoes|bilhao|bilhoes|trilhao|trilhoes|mil|mi|bi|tri)"
_DIGITS = r"(?<!\d),\d+|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?: \d{3})+(?!\d)(?:,\d+)?|\d+(?:[.,]\d+)?"
WORD = rf"(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
_SPELLED = rf"(?:meio(?= por cento| ponto percentual)|meio milhao|meio bilhao|(?:{WORD}|{_SCALE})(?:(?: e | ){WORD}|(?: e | ){_SCALE})*)"
# `2 milhões e meio`, `1 milhão e 500 mil`
_MORE = r"(?: e (?:(?P<half>meio)|(?P<thousands>\d{1,3}) mil)(?!\w))?"

_NUMBER = re.compile(
    r"(?P<money>r\$ ?)?(?<![\w])(?:"
    rf"(?P<digits>{_DIGITS})(?![\d])(?P<ordinal> ?[ºª°])?(?: ?(?P<scale>{_SCALE})\b)?|(?P<words>{_SPELLED})\b){_MORE}"
    r"(?P<percent> ?%| por cento\b| pontos? percentua(?:l|is)\b| p\.p\.)?(?P<reais>(?: de)? reais\b)?(?P<cents> centavos\b)?"
)
# What Roman numerals number: `século XXI`, `capítulo IV`.
_ROMAN = re.compile(
    r"\b(?:seculos?|capitulos?|titulos?|livros?|eixos?|partes?|anexos?|incisos?|volumes?|tomos?|fases?|secao|secoes) "
    r"(?P<roman>x{0,3}(?:ix|iv|v?i{0,3}))\b"
)
_DECADE = re.compile(r"\b(?:anos|decadas? d[eo]s?(?: anos)?) $")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10}
NUMBER_WORDS = frozenset(_WORDS) | frozenset(_SCALES)
_ALPHANUMERIC = re.compile(r"(?<![\w])(?<!\d[.,])(?=\w*[a-z])(?=\w*\d)\w+")
_RANGE_GAP = re.compile(r" ?(?:-|a|ate|e|ou) ?(?:r\$ ?)?")
_VAGUE = frozenset({"um", "uma", "mi", "bi", "tri"})


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a text: its readings (value, kind), any of which may be meant; `word` when it is spelled out."""

    text: str
    readings: frozenset[tuple[Decimal, str]]
    start: int
    end: int
    word: bool = False

    @property
    def value(self) -> Decimal:
        return min(value for value, _ in self.readings)


def find_numbers(folded: str) -> list[Number]:
    """Numbers in comparable, accent-free text. `um` and `uma` alone are articles, not numbers."""
    found = [number for match in _NUMBER.finditer(folded) if (number := _read(match)) is not None]
    found = [_of_decade(number) if _DECADE.search(folded, 0, number.start) else number for number in found]
    found += [_roman(match) for match in _ROMAN.finditer(folded) if match["roman"]]
    return _share_units(folded, sorted(found, key=lambda number: number.start))


def find_codes(folded: str) -> list[tuple[str, int]]:
    """Words that mix letters and digits (`5g`, `6x1`, `14h30`) with their positions."""
    return [
        (match[0], match.start()) for match in _ALPHANUMERIC.finditer(folded) if not re.fullmatch(r"\d+[oa]", match[0])
    ]


def parse_digits(text: str) -> frozenset[Decimal]:
    """`1.500` → 1500; `1,5` → 1.5; `1 500` → 1500."""
    compact = text.replace(" ", "")
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", compact):
        return frozenset({Decimal(compact.replace(".", "").replace(",", "."))})
    return frozenset({Decimal(compact.replace(",", "."))})


def parse_words(words: str) -> Decimal | None:
    """`mil e quinhentos` → 1500; None when the words are no number."""
    if words == "meio":
        return Decimal("0.5")
    if words.startswith("meio "):
        return Decimal(_SCALES[words.split()[1]]) / 2
    total = current = 0
    for word in re.split(r" e | ", words):
        if word in _SCALES:
            total, current = total + (current or 1) * _SCALES[word], 0
        else:
            current += _WORDS[word]
    return Decimal(total + current)


def _read(match: re.Match[str]) -> Number | None:
    if match["words"] in _VAGUE and not match["percent"]:
        return None
    values = _values(match)
    kind = PERCENT if match["percent"] else MONEY if match["money"] or match["reais"] else PLAIN
    readings = frozenset((value.normalize(), kind) for value in values)
    if match["cents"]:
        readings = readings | {((value / 100).normalize(), MONEY) for value in values}
    return Number(match[0].strip(), readings, match.start(), match.end(), match["words"] is not None)


def _of_decade(number: Number) -> Number:
    """`anos 90` is 1990 too."""
    short = number.text in ("30", "40", "50", "60", "70", "80", "90")
    century = frozenset({((number.value + 1900).normalize(), PLAIN)}) if short else frozenset()
    return replace(number, readings=number.readings | century)


def _roman(match: re.Match[str]) -> Number:
    digits = [_ROMAN_DIGITS[char] for char in match["roman"]]
    value = sum(-one if one < after else one for one, after in zip(digits, [*digits[1:], 0], strict=True))
    return Number(match["roman"], frozenset({(Decimal(value).normalize(), PLAIN)}), *match.span("roman"))


def _values(match: re.Match[str]) -> frozenset[Decimal]:
    if match["words"]:
        value = parse_words(match["words"])
        return frozenset() if value is None else frozenset({value + _more(match, match["words"].split()[-1])})
    scale = Decimal(_SCALES[match["scale"]]) if match["scale"] else Decimal(1)
    return frozenset(value * scale + _more(match, match["scale"] or "") for value in parse_digits(match["digits"]))


def _more(match: re.Match[str], scale: str) -> Decimal:
    """What `e meio` or `e 500 mil` adds after a scale."""
    if _SCALES.get(scale, 0) <= 1000:
        return Decimal(0)
    return Decimal(_SCALES[scale]) / 2 if match["half"] else Decimal(int(match["thousands"] or 0) * 1000)


def _share_units(text: str, numbers: list[Number]) -> list[Number]:
    """`10 a 20%`: the first end may mean 10 or 10 %; `2 a 3 milhões`: 2 or 2 million; `R$ 10 a 20`: both are money."""
    shared = list(numbers)
    for index in reversed(range(len(shared) - 1)):
        first, second = shared[index], shared[index + 1]
        if _RANGE_GAP.fullmatch(text[first.end : second.start]):
            extra = frozenset(_as_second(value, second) for value, _ in first.readings)
            shared[index] = replace(first, readings=first.readings | extra)
    for index in range(1, len(shared)):
        first, second = shared[index - 1], shared[index]
        gap = text[first.end : second.start]
        ranged = _RANGE_GAP.fullmatch(gap) and (gap != " e " or text[: first.start].endswith("entre "))
        if ranged and any(kind == MONEY for _, kind in first.readings):
            extra = frozenset((value, MONEY) for value, kind in second.readings if kind == PLAIN)
            shared[index] = replace(second, readings=second.readings | extra)
    return shared


def _as_second(value: Decimal, second: Number) -> tuple[Decimal, str]:
    kind = next(kind for _, kind in second.readings)
    scale = re.search(rf"\b({_SCALE})\b", second.text)
    return (value * (_SCALES[scale[1]] if scale else 1)).normalize(), kind
