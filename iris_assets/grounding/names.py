"""Who a sentence speaks of, and whether the evidence it cites is theirs."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from iris_assets.grounding.evidence import GateEvidence, Owner
from iris_assets.grounding.normalise import content_stems, fold
from iris_assets.grounding.vocabulary import INSTITUTIONAL, PARTICLES, TITLES

_CAPITAL_RUN = re.compile(r"\b[A-ZÀ-Ý][\wÀ-ÿ'’-]+(?:\s+(?:(?:de|da|do|das|dos|e)\s+)?[A-ZÀ-Ý][\wÀ-ÿ'’-]+)+")
_OFFICE = (
    r"(?:[Cc]andidat[oa]|[Dd]eputad[oa](?: federal| estadual| distrital)?|[Ss]enador[a]?|[Gg]overnador[a]?"
    r"|[Vv]ereador[a]?|"
    r"[Pp]refeit[oa]|[Mm]inistr[oa]|[Pp]residente|CANDIDAT[OA]|DEPUTAD[OA])"
)
_AFTER_OFFICE = re.compile(
    rf"\b{_OFFICE}\s+(?P<name>[A-ZÀ-Ý][\wÀ-ÿ'’-]+(?:\s+(?:(?:de|da|do|das|dos|e)\s+)?[A-ZÀ-Ý][\wÀ-ÿ'’-]+)*)"
)
_SPEAKS = re.compile(
    r"^\s*(?:,[^,]{0,80},)?\s*(?:\([^)]*\))?\s*(?:também |ainda |não )?(?:propõe|propoe|promete|defende"
    r"|pretende|quer|afirma|prevê|planeja|"
    r"apresent|é autor|foi |é |assin|vai |irá |diz|declar|sugere|garant|comprome|cri|constru|ampli|votou|exerce|ocup"
    r"|apoi|critic|confirm|acus|elogi|receb|disput|neg|rejeit|lider)"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A candidate named at a place of a sentence."""

    owner: Owner
    alias: str
    start: int
    end: int


class Register:
    """All candidates of an evidence set and the names by which an answer may mean them."""

    def __init__(self, evidences: Sequence[GateEvidence]) -> None:
        owners = {owner.key: owner for evidence in evidences for owner in evidence.owners}
        full = {alias: owner for owner in owners.values() for alias in _aliases(owner)}
        self._name_stems = content_stems(" ".join(name for owner in owners.values() for name in owner.names))
        self._known = _distinctive_words(list(owners.values())) | full
        longest_first = sorted(self._known, key=lambda alias: -len(alias))
        self._pattern = (
            re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)") if longest_first else None
        )

    def mentions(self, text: str) -> list[Mention]:
        """Candidates named in `text`, in order, the longest name at each place; single words only when capitalised."""
        if self._pattern is None:
            return []
        return [
            Mention(self._known[match[0]], match[0], match.start(), match.end())
            for match in self._pattern.finditer(fold(text))
            if " " in match[0] or text[match.start()].isupper()
        ]

    def masked(self, text: str) -> str:
        """`text` with each named candidate replaced by one word, so that a rule need not know any name."""
        for mention in reversed(self.mentions(text)):
            text = f"{text[: mention.start]}Candidatura{text[mention.end :]}"
        return text

    def without_names(self, stems: frozenset[str]) -> frozenset[str]:
        """Word stems that are no part of a candidate's name."""
        return stems - self._name_stems

    def same_owner(self, first: Iterable[GateEvidence], second: Iterable[GateEvidence]) -> bool:
        """Whether two sets of evidence share a candidate (or one of them has none)."""
        left = {owner.key for evidence in first for owner in evidence.owners}
        right = {owner.key for evidence in second for owner in evidence.owners}
        return not left or not right or bool(left & right)


def concerns(evidence: GateEvidence, mention: Mention) -> bool:
    """Whether an evidence is the mentioned candidate's or names them."""
    owned = any(owner.key == mention.owner.key for owner in evidence.owners)
    return (
        owned or evidence.mentions(mention.alias) or any(evidence.mentions(alias) for alias in _aliases(mention.owner))
    )


def person_names(text: str) -> list[str]:
    """Runs of capitalised words that may name a person (institutions and places with their words left out)."""
    names = []
    for match in _CAPITAL_RUN.finditer(text):
        for run in _apart(match[0]):
            words = _trimmed(run.split())
            if len(words) >= 2 and not any(fold(word) in INSTITUTIONAL for word in words):
                names.append(" ".join(words))
    return names


def _apart(run: str) -> list[str]:
    """`Ana Souza e Bruno Lima` are two names, `Ana Souza e Silva` is one."""
    parts = run.split(" e ")
    return parts if all(len(part.split()) >= 2 for part in parts) else [run]


def names_in_subject(text: str) -> list[str]:
    """Names after an office ("a candidata Ana") or before a verb ("Ana Souza propõe")."""
    after = [
        match["name"] for match in _AFTER_OFFICE.finditer(text) if fold(match["name"].split()[0]) not in INSTITUTIONAL
    ]
    before = [
        name for name in person_names(text) if (at := text.find(name)) >= 0 and _SPEAKS.match(text[at + len(name) :])
    ]
    return list(dict.fromkeys(after + before))


def owners_from_text(title: str, text: str) -> tuple[Owner, ...]:
    """Candidates of an evidence that carries no candidate data: the person of its title, else of its start."""
    names = person_names(title.title() if title.isupper() else title) or names_in_subject(text[:400])
    return tuple(Owner(fold(name), (name,)) for name in dict.fromkeys(names))


def one_owner_for_each_person(owners: Iterable[Owner]) -> dict[str, Owner]:
    """Key → owner, with owners that are known by name only laid together when one's name shortens the other's.

    `JOÃO ROCHA` and `JOÃO BATISTA ROCHA` are one person when nobody else of the set could be meant.
    """
    by_key = {owner.key: owner for owner in owners}
    merged = dict(by_key)
    for owner in sorted(by_key.values(), key=lambda owner: len(owner.key.split())):
        longer = [other for other in by_key.values() if other.key != owner.key and _shortens(owner, other)]
        if owner.key == fold(owner.names[0]) and len(longer) == 1:
            merged[owner.key] = longer[0]
    bearers: dict[str, list[Owner]] = {}
    for key, owner in merged.items():
        bearers.setdefault(owner.key, []).append(by_key[key])
    names = {key: tuple(dict.fromkeys(name for o in found for name in o.names)) for key, found in bearers.items()}
    return {key: Owner(owner.key, names[owner.key]) for key, owner in merged.items()}


def _shortens(short: Owner, long: Owner) -> bool:
    """Whether every word of a name of two words or more is in the other's, both beginning alike."""
    words = [word for word in fold(short.names[0]).split() if word not in PARTICLES]
    others = [[word for word in fold(name).split() if word not in PARTICLES] for name in long.names]
    return len(words) >= 2 and any(set(words) <= set(other) and words[0] == other[0] for other in others)


def _trimmed(words: list[str]) -> list[str]:
    """Without offices and leading institutional words: `Plano Ana Souza` → Ana Souza."""
    while words and (fold(words[0]) in TITLES | INSTITUTIONAL | PARTICLES):
        words = words[1:]
    return words


def _aliases(owner: Owner) -> list[str]:
    """Full names, and of longer ones first + last and first + second word."""
    aliases: list[str] = []
    for name in owner.names:
        folded = " ".join(fold(name).split())
        words = [word for word in folded.split() if word not in PARTICLES]
        aliases.append(folded)
        if len(words) >= 3:
            aliases += [f"{words[0]} {words[-1]}", f"{words[0]} {words[1]}"]
    return [alias for alias in dict.fromkeys(aliases) if alias]


def _distinctive_words(owners: list[Owner]) -> dict[str, Owner]:
    """Single name words that only one of the candidates bears."""
    bearers: dict[str, set[str]] = {}
    by_key = {owner.key: owner for owner in owners}
    for owner in owners:
        for word in {word for name in owner.names for word in fold(name).split()}:
            if len(word) >= 3 and word not in PARTICLES | TITLES | INSTITUTIONAL:
                bearers.setdefault(word, set()).add(owner.key)
    return {word: by_key[next(iter(keys))] for word, keys in bearers.items() if len(keys) == 1}
