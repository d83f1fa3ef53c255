"""Personal data in running text: CPF numbers, e-mail addresses, telephone numbers; found, masked, counted."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

# A CPF as people write it; what it is decides its check digits.
CPF: Final = re.compile(r"(?<![\d.,/-])\d{3}[. ]?\d{3}[. ]?\d{3}[-/ ]?\d{2}(?![\d/]|[.,-]\d)")
EMAIL: Final = re.compile(r"@(?<=[\w%+-]@)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}")
LOCAL: Final = re.compile(r"[\w.%+-]{1,64}\Z")
# Eight or nine digits with or without area code are a telephone only where the text says so.
PHONE: Final = re.compile(r"(?<![\d.,/-])(?:\+?55 ?)?(?:\(?0?\d{2}\)?[ .-]?)?(?:9 ?)?\d{4}[ .-]?\d{4}(?![\d/]|[.,-]\d)")
PHONE_WORD: Final = re.compile(
    r"(?:tele)?fones?\b|\btels?\b|celular|whats?app|\bzap\b|\bfax\b|contatos?\b", re.IGNORECASE
)
YEARS: Final = re.compile(r"(?:19|20)\d\d[ .-]?(?:19|20)\d\d")  # a term or two years, no telephone
NEAR: Final = 40  # characters before a number in which such a word tells a telephone
MASKS: Final = {"cpf": "[CPF omitido]", "email": "[e-mail omitido]", "phone": "[telefone omitido]"}

Found = tuple[int, int, str]  # start, end, kind


def find_personal(text: str) -> list[Found]:
    """Where personal data stand, in order and without overlap."""
    found: list[Found] = []
    end = 0
    for start, stop, kind in sorted((*_cpfs(text), *_emails(text), *_phones(text))):
        if start >= end:
            found.append((start, stop, kind))
            end = stop
    return found


def mask_personal(text: str, counts: Counter[str]) -> str:
    """The text with each find replaced by a word that says what stood there; counted as `masked_<kind>`."""
    pieces, end = [], 0
    for start, stop, kind in find_personal(text):
        counts[f"masked_{kind}"] += 1
        pieces += [text[end:start], MASKS[kind]]
        end = stop
    return "".join([*pieces, text[end:]]) if pieces else text


def is_cpf(text: str) -> bool:
    """Whether the eleven digits in `text` have the check digits of a CPF; eleven equal ones are none."""
    digits = [int(char) for char in text if char.isdigit()]
    if len(digits) != 11 or len(set(digits)) == 1:
        return False
    return all(digits[place] == _check_digit(digits[:place]) for place in (9, 10))


def _check_digit(digits: list[int]) -> int:
    rest = 11 - sum(weight * digit for weight, digit in zip(range(len(digits) + 1, 1, -1), digits, strict=True)) % 11
    return 0 if rest > 9 else rest


def _cpfs(text: str) -> Iterator[Found]:
    for match in CPF.finditer(text):
        if is_cpf(match[0]) and not text[: match.start()].endswith(("R$", "R$ ")):
            yield match.start(), match.end(), "cpf"


def _emails(text: str) -> Iterator[Found]:
    for match in EMAIL.finditer(text):
        local = LOCAL.search(text, max(0, match.start() - 64), match.start())
        if local is not None:
            yield local.start(), match.end(), "email"


def _phones(text: str) -> Iterator[Found]:
    end = 0
    for word in PHONE_WORD.finditer(text):
        place = max(word.end(), end)
        while (number := PHONE.search(text, place, word.end() + NEAR + 20)) and number.start() - place <= NEAR:
            if not YEARS.fullmatch(number[0]):
                yield number.start(), number.end(), "phone"
            place = end = number.end()
