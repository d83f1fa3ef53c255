"""The phrases of a question that say whose records are meant: office, election, country, UF and party of candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

from iris_assets.question.parties import ORDINARY, party_forms
from iris_assets.question.places import STATE_NAMES, take_states
from iris_assets.question.question_words import TITLE_PARTS, TITLES
from iris_assets.question.unread import Unread
from iris_assets.ufs import UF_NAMES

PEOPLE = r"(?:PRE )?CANDIDAT[OA]S?|(?:PRE ?)?CANDIDATURAS?|PRECANDIDAT[OA]S?|PRESIDENCIAVE(?:L|IS)|POSTULANTES?|CHAPAS?"
OFFICE = (
    r"PRESIDENT[EA]S?|PRESIDENCIA|PRESIDENCIA(?:L|IS)|GOVERNADOR(?:A|ES|AS)?|GOVERNOS?|SENADOR(?:A|ES|AS)?|SENADO"
    r"|DEPUTAD[OA]S?|CAMARA|ASSEMBLEIA|CONGRESSO|PREFEIT[OA]S?|PREFEITURAS?|VEREADOR(?:A|ES|AS)?|EXECUTIVO|PLANALTO"
    r"|PALACIO"
)
BESIDE_OFFICE = (
    r"REPUBLICA|FEDERATIVA|FEDERA(?:L|IS)|ESTADUA(?:L|IS)|DISTRITA(?:L|IS)|MUNICIPA(?:L|IS)|NACIONA(?:L|IS)|ESTADOS?"
    r"|LEGISLATIV[OA]|VICE|CARGOS?|VAGAS?|UF|BRASIL|PAIS|NACAO|BRASILEIR[OA]S?"
)
RACE = r"ELEIC(?:AO|OES)|ELEITORA(?:L|IS)|PLEITO|CORRIDA|CAMPANHA|DISPUTA|TURNO|PRIMEIRO TURNO|SEGUNDO TURNO"
KIND_OF_RACE = r"GERAIS|PRESIDENCIA(?:L|IS)|ESTADUA(?:L|IS)|FEDERA(?:L|IS)|MUNICIPA(?:L|IS)|NACIONA(?:L|IS)|PASSADAS?"
RUNNING = r"DISPUTAM?|DISPUTARAM|DISPUTANDO|CONCORREM?|CONCORRERAM|CONCORRENDO"
STATUS = r"REGISTRAD[OA]S?|INSCRIT[OA]S?|OFICIAIS|APT[OA]S?"
YEAR = r"(?:19|20)\d\d"
LINK = r"AOS?|A|AS|OS?|D[AEO]S?|EM|N[AO]S?|PEL[AO]S?|QUE|SE|E|OU|ANO"
NOT_ABOUT = r"(?<!SOBRE )(?<!SOBRE A )(?<!SOBRE O )(?<!SOBRE AS )"
OF = r"(?:D[AEO]|EM|N[AO]|PEL[AO])"
COUNTRY = r"(?:NO|PARA O|PELO|EM TODO O|DO) PAIS|(?:NO|PARA O|PELO|EM TODO O) BRASIL"
STATES = "|".join(sorted(STATE_NAMES.keys() - {"PARA"}, key=lambda name: (-len(name), name)))
SIGLAS = "|".join(sorted(UF_NAMES))
PLACE = rf"(?:{OF} )?(?:ESTADO D[AEO] )?(?:{STATES})|{OF} (?:{SIGLAS}|PARA)"


@dataclass(frozen=True, slots=True)
class Scoped:
    """What the scope of a question may name: parties and elections of the records; `everyone`: it asks of each."""

    parties: Sequence[str] = ()
    years: Sequence[int] = ()
    everyone: bool = False
    keeps_years: bool = False  # the years are those of bills


def take_scope_phrases(unread: Unread, names: Sequence[Sequence[str]], scoped: Scoped | None) -> str:
    """Take the names and, when a scope is read, its phrases; the words of the scope as they were typed."""
    _take_names(unread, names, scoped.parties if scoped else ())
    if scoped is None:
        return ""
    before = [unread.form(place) for place in range(len(unread))]
    parts = rf"{OFFICE}|{BESIDE_OFFICE}|{RACE}|{KIND_OF_RACE}|{RUNNING}|{STATUS}|{YEAR}|{PLACE}|{_parties(scoped)}"
    chain = rf"(?:(?: (?:{LINK}))* (?:{parts}))"
    unread.take(rf"(?:{PEOPLE})(?: PARA (?:[AO] )?(?:CARGO DE )?(?:{OFFICE}))?{chain}*")
    unread.take(rf"(?:QUEM )?(?:{RUNNING})(?: (?:{LINK}|CARGO|VAGA))* (?:{OFFICE}){chain}*")
    unread.take(rf"{NOT_ABOUT}(?:{LINK} )?(?:(?:{RACE})(?: (?:{LINK}))* )+(?:{KIND_OF_RACE}|{YEAR}|{OFFICE}){chain}*")
    unread.take(r"N?O (?:PRIMEIRO|SEGUNDO) TURNO")
    unread.take(COUNTRY)
    if scoped.years and not scoped.keeps_years:
        unread.take(rf"(?:EM|DE|PARA|NO ANO DE) (?:{'|'.join(map(str, scoped.years))})")
    scope = _typed(unread, [place for place, form in enumerate(before) if form != unread.form(place)])
    return scope + (_places(unread) if scoped.everyone and "PRESIDEN" not in scope.upper() else "")


def _take_names(unread: Unread, names: Sequence[Sequence[str]], parties: Sequence[str]) -> None:
    """Names with the titles before them and the party and UF after them ("a deputada Ana, do PT", "Ana (PT-DF)")."""
    title = rf"(?:{'|'.join(sorted(TITLES | TITLE_PARTS))})"
    before = rf"(?:(?:{title} )+(?:D[AEO] (?:{STATES}|{SIGLAS}|REPUBLICA) )?)?"
    siglas = "|".join(form for form in party_forms(parties) if form not in ORDINARY)
    after = rf"(?: (?:D[AO] )?(?:{siglas})(?: (?:D[AEO] )?(?:{STATES}|{SIGLAS}))?)?"
    for name in sorted(names, key=len, reverse=True):
        unread.take(f"{before}{' '.join(name)}{after}")


def _parties(scoped: Scoped) -> str:
    forms = sorted(party_forms(scoped.parties), key=lambda form: (-len(form), form))
    return rf"(?:D[AEO]S?|PEL[AO]S?) (?:PARTIDOS? (?:D[AEO]S? )?)?(?:{'|'.join(forms)})"


def _places(unread: Unread) -> str:
    """The UFs in the rest of a question about each candidate: they say whose plans are meant."""
    before = [unread.form(place) for place in range(len(unread))]
    take_states(unread)
    return " " + _typed(unread, [place for place, form in enumerate(before) if form != unread.form(place)])


def _typed(unread: Unread, places: Sequence[int]) -> str:
    """Words as they were typed, with what stands between neighbours."""
    text, last = "", -2
    for place in places:
        text += (unread.gaps[place] if place == last + 1 else " ") + unread.raw[place]
        last = place
    return text
