"""Which parties a question names: by sigla, full name or common alias, in any case and with or without accents."""

from collections.abc import Collection

from iris_assets.question.unread import TAKEN, Unread
from iris_assets.words import parties as words
from iris_assets.words.parties import parties, party_of
from iris_assets.words.text import fold, word_set

# Spellings that are words of the language too: they need `partido` or an article of this kind before them, and after
# them the end, another restriction or a verb ("da rede de ensino" is no party).
ORDINARY = {fold(word): party.article.upper() for party in parties() for word in party.words}
FOLLOWS = word_set(
    """# E OU PARA AO A QUE TEM TEVE TINHA LANCOU LANCARAM APRESENTOU ASSINOU PROPOS ELEGEU REGISTROU DISPUTAM DISPUTARAM
    CONCORREM CONCORRERAM FORAM HA HAVIA EXISTEM SAO"""
)
PREPOSITIONS = word_set("EM NO NA NOS NAS DO DA DE PELO PELA")
PREFIX = r"(?:PARTIDOS? (?:D[OAE] )?)"
# `PL` is a kind of bill as well: it is the party after these words only, and never before a number.
PL_CUES = r"DO|PELO|NO|AO|O|PARTIDO|CANDIDAT[OA]S?|CANDIDATURAS?|DEPUTAD[OA]S?|SENADOR(?:A|ES)?|GOVERNADOR(?:A|ES)?|# (?:E|OU)"


def party_forms(stored: Collection[str] = ()) -> dict[str, str]:
    """Normalised spelling → sigla as it is stored (`stored`: the siglas of the records in scope)."""
    own = {party.acronym: sigla for sigla in sorted(stored) if (party := party_of(sigla))}
    spelled = {form: own.get(acronym, acronym) for form, acronym in words.party_forms().items()}
    return spelled | {fold(sigla): sigla for sigla in sorted(stored)}


def take_parties(unread: Unread, stored: Collection[str] = ()) -> tuple[str, ...]:
    """The siglas of the parties that the question names, sorted; their words are taken."""
    forms = party_forms(stored)
    ordered = sorted(forms, key=lambda form: (form in ORDINARY, form == "PL", -len(form), form))
    found: set[str] = set()
    while new := {forms[form] for form in ordered if _taken(unread, form)}:
        found |= new  # one more look: a party beside a party that was not known yet ("do Novo, PL e PT")
    return tuple(sorted(found))


def _taken(unread: Unread, form: str) -> bool:
    if form == "PL":
        return bool(unread.take(rf"(?:{PL_CUES}) (?P<it>PL)(?! (?:N |NO |NUMERO )?\d)")) or _taken_beside(unread)
    if form in ORDINARY:
        return bool(unread.take(PREFIX + form)) or _taken_ordinary(unread, form)
    return bool(unread.take(rf"{PREFIX}?{form}"))


def _taken_beside(unread: Unread) -> bool:
    """`PL/DF`, `PT, PL`: the party beside its UF or another party."""
    places = [
        position
        for position in range(len(unread))
        if unread.form(position) == "PL" and (_is_listed(unread, position) or _is_beside(unread, position + 1))
    ]
    for place in places:
        unread.take_at(place)
    return bool(places)


def _is_beside(unread: Unread, position: int) -> bool:
    return unread.form(position) == TAKEN and "/" in unread.gaps[position]


def _is_listed(unread: Unread, position: int) -> bool:
    return unread.form(position - 1) == TAKEN and "," in unread.gaps[position]


def _taken_ordinary(unread: Unread, form: str) -> bool:
    """A party whose sigla is a word, after its article (or in a list of parties)."""
    articles = "|".join(f"(?:D|PEL)?{article}" for article in ORDINARY[form])
    before = rf"(?:{articles}|# (?:E|OU))"
    for position in range(len(unread)):
        if unread.form(position) != form:
            continue
        if _is_listed(unread, position):
            unread.take_at(position)
            return True
        capital = unread.capitals_tell and unread.raw[position][0].isupper()
        if (capital or _may_end(unread, position)) and unread.take(rf"{before} (?P<it>{form})"):
            return True
    return False


def _may_end(unread: Unread, position: int) -> bool:
    """Whether the name of a party may end here: at the end, before a verb, or before another restriction."""
    after, beyond = unread.form(position + 1), unread.form(position + 2)
    return not after or after in FOLLOWS or (after in PREPOSITIONS and beyond == TAKEN)
