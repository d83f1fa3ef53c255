"""How a question says what came of a candidature: elected, substitute, in the second round, fit or unfit."""

from collections.abc import Collection

from iris_assets.question.unread import Unread
from iris_assets.store.tables.candidates import Standing

# As the court writes them; MÉDIA alone is how it wrote ELEITO POR MÉDIA until 2010.
BY_AVERAGE = ("ELEITO POR MÉDIA", "MÉDIA")
BY_QUOTIENT = ("ELEITO POR QP",)
ELECTED = ("ELEITO", *BY_AVERAGE, *BY_QUOTIENT)
RESULTS = (
    (r"ELEIT[OA]S? (?:POR|PELA) MEDIA", BY_AVERAGE),
    (r"ELEIT[OA]S? (?:POR|PELO) (?:QP|QUOCIENTE PARTIDARIO)", BY_QUOTIENT),
    (r"ELEIT[OA]S?|ELEGEU|ELEGERAM|ELEGEM", ELECTED),
    (r"SUPLENTES?", ("SUPLENTE",)),
)
REGISTRATIONS = ((r"APT[OA]S?", "APTO"), (r"INAPT[OA]S?", "INAPTO"))
ROUNDS = ((r"(?:2O?|SEGUNDO) TURNO", 2), (r"(?:1O?|PRIMEIRO) TURNO", 1))


def take_standing(unread: Unread, offices: Collection[str]) -> Standing | None:
    """What the question restricts candidatures to; its words are taken. None when no record tells it."""
    results = [values for pattern, values in RESULTS if unread.take(pattern)]
    registration = tuple(value for pattern, value in REGISTRATIONS if unread.take(pattern))
    rounds = [number for pattern, number in ROUNDS if unread.take(pattern)]
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
