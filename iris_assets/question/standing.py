"""How a question says what came of a candidature: elected or not, substitute, in the second round, fit or unfit."""

from collections.abc import Collection
from typing import Final

from iris_assets.question.clauses import Words, table
from iris_assets.store.tables.candidates import Standing

ELECTED: Final = ("ELEITO", "ELEITO POR MÉDIA", "MÉDIA", "ELEITO POR QP")
LOST: Final = ("NÃO ELEITO", "SUPLENTE")


def take_standing(words: Words, offices: Collection[str]) -> Standing | None:
    """What the words restrict candidatures to; None when no record tells it.

    Words that are part of an office's name do not count ("primeiro suplente de senador").
    """
    results = [tuple(one["are"]) for one in table()["results"] if _take_all(words, one["words"])]
    registration = [tuple(one["are"]) for one in table()["registrations"] if _take_all(words, one["words"])]
    rounds = [int(one["are"]) for one in table()["rounds"] if _take_all(words, one["words"])]
    narrowest = min(results, key=len, default=())  # "dos que se elegeram, quantos por média"
    nested = all(set(narrowest) <= set(one) for one in results)
    if not nested or len(rounds) > 1 or (narrowest == ("SUPLENTE",) and "SENADOR" in offices):
        return None
    if rounds == [1] and narrowest != ELECTED:
        return None  # a record holds the latest round only: who was in the first one is everybody
    if narrowest == ELECTED:
        words.take_all("VAGAS?|CADEIRAS?|ALGUEM|BANCADA")
    both = tuple(value for values in registration for value in values)
    return Standing(narrowest, rounds[0] if rounds else None, both)


def _take_all(words: Words, pattern: str) -> bool:
    taken = False
    while words.take(pattern, "OFFICE") is not None:
        taken = True
    return taken


def standing_text(standing: Standing) -> tuple[tuple[str, str], ...]:
    """The restrictions in words, as (name, value); a value is empty where nothing is restricted."""
    result = "eleito" if standing.results == ELECTED else ", ".join(one for one in standing.results if one != "MÉDIA")
    rounds = f"{standing.last_round}º" if standing.last_round else ""
    return ("resultado", result), ("turno", rounds), ("registro", ", ".join(standing.registration))
