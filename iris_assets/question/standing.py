"""How a question says what came of a candidature: elected or not, substitute, in the second round, fit or unfit."""

import re
from collections.abc import Callable, Collection
from typing import Final

from iris_assets.store.tables.candidates import Standing

# As the court writes them; MÉDIA alone is how it wrote ELEITO POR MÉDIA until 2010.
BY_AVERAGE: Final = ("ELEITO POR MÉDIA", "MÉDIA")
BY_QUOTIENT: Final = ("ELEITO POR QP",)
ELECTED: Final = ("ELEITO", *BY_AVERAGE, *BY_QUOTIENT)
NOT_ELECTED: Final = ("NÃO ELEITO",)
LOST: Final = (*NOT_ELECTED, "SUPLENTE")
_NOT: Final = r"(?:NAO|NEM) (?:(?:SE|FOI|FORAM|SAO|CONSEGUI\w+) )*"
RESULTS: Final = (
    (r"ELEIT[OA]S? (?:POR|PELA) MEDIA", BY_AVERAGE),
    (r"ELEIT[OA]S? (?:POR|PELO) (?:QP|QUOCIENTE PARTIDARIO)", BY_QUOTIENT),
    (rf"{_NOT}ELEITOS?", NOT_ELECTED),
    (rf"{_NOT}(?:ELEG\w+|GANH\w+|VENC\w+)|PERDEU|PERDERAM|DERROTAD[OA]S?", LOST),
    (r"(?:SE )?(?:ELEITOS?|ELEGEU|ELEGERAM|ELEGEM|ELEGERA)|GANHOU|GANHARAM|VENCEU|VENCERAM|VENCEDOR(?:ES)?", ELECTED),
    (r"SUPLENTES?", ("SUPLENTE",)),
)
REGISTRATIONS: Final = ((r"APT[OA]S?", "APTO"), (r"INAPT[OA]S?", "INAPTO"))
ROUNDS: Final = ((r"(?:2O?|SEGUNDO) TURNO", 2), (r"(?:1O?|PRIMEIRO) TURNO", 1))


def take_standing(take: Callable[[str], re.Match[str] | None], offices: Collection[str]) -> Standing | None:
    """What the question restricts candidatures to, by the words that `take` takes; None when no record tells it."""
    results: list[tuple[str, ...]] = []
    for pattern, values in RESULTS:
        if take(pattern):
            results.append(values)
            while take(pattern):
                pass
    registration = tuple(value for pattern, value in REGISTRATIONS if take(pattern))
    rounds = [number for pattern, number in ROUNDS if take(pattern)]
    if len(results) > 1 or len(rounds) > 1 or (results == [("SUPLENTE",)] and "SENADOR" in offices):
        return None
    if rounds == [1] and results != [ELECTED]:
        return None  # a record holds the latest round only: who was in the first one is everybody
    return Standing(results[0] if results else (), rounds[0] if rounds else None, registration)


def standing_text(standing: Standing) -> tuple[tuple[str, str], ...]:
    """The restrictions in words, as (name, value); a value is empty where nothing is restricted."""
    result = "eleito" if standing.results == ELECTED else ", ".join(standing.results)
    rounds = f"{standing.last_round}º" if standing.last_round else ""
    return ("resultado", result), ("turno", rounds), ("registro", ", ".join(standing.registration))
