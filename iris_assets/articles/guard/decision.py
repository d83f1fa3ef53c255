"""From what a text says to a verdict: weighed evidence for a person of the records, compared with their namesakes."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from iris_assets.articles.contracts import GuardRecord, Profile, Verdict
from iris_assets.articles.guard.around import context, denied, described
from iris_assets.articles.guard.beside import beside_name
from iris_assets.articles.guard.evidence import Evidence, Person, weighed
from iris_assets.articles.guard.mentions import Mention, mentions

APPROVED_FROM: Final = 3

REJECTED_TO: Final = -3

MARGIN: Final = 2  # by which the profile must lead a namesake of the records


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a text is about the person: the points, what they are made of, and the code of a refusal."""

    verdict: Verdict
    points: int
    evidence: tuple[Evidence, ...]
    code: str | None = None

    @property
    def explanation(self) -> str:
        """One line: the verdict and every point."""
        parts = [f"{item.name} {item.points:+d} ({item.said})" for item in self.evidence]
        return f"{self.verdict} {self.points:+d}: {'; '.join(parts) or 'nothing tells who it is'}"[:1000]

    @property
    def record(self) -> GuardRecord:
        """The same for the manifest."""
        evidence = [asdict(item) for item in self.evidence]
        return GuardRecord.model_validate(
            {"verdict": self.verdict, "points": self.points, "code": self.code, "evidence": evidence}
        )


def judge(profile: Profile, texts: Sequence[str]) -> Judgement:
    """Whether the texts are about the profile's person; REVIEW where they do not tell."""
    own = _evidence_for(Person.of(profile), texts)
    if own is None:
        return Judgement("REJECT", 0, (), "NAME_ABSENT")
    points = sum(item.points for item in own)
    rivals = [(rival, _total(rival, texts)) for rival in map(Person.of_namesake, profile.namesakes)]
    nearest = max((total for _, total in rivals if total is not None), default=None)
    if nearest is not None and nearest > points:
        return Judgement("REJECT", points, own, "HOMONYM_KNOWN")
    if points >= APPROVED_FROM and (nearest is None or points - nearest >= MARGIN):
        return Judgement("APPROVE", points, own)
    if points <= REJECTED_TO:
        return Judgement("REJECT", points, own, _code(own))
    return Judgement("REVIEW", points, own, "HOMONYM_UNRESOLVED")


def _total(person: "Person", texts: Sequence[str]) -> int | None:
    evidence = _evidence_for(person, texts)
    return None if evidence is None else sum(item.points for item in evidence)


def _code(evidence: Iterable[Evidence]) -> str:
    worst = min(evidence, key=lambda item: item.points)
    return "HOMONYM_OTHER_PARTY_OR_UF" if worst.name in ("other_party", "other_uf") else "HOMONYM_OTHER_OFFICE"


def _evidence_for(person: Person, texts: Sequence[str]) -> tuple[Evidence, ...] | None:
    """What the texts say of the person; None when the name does not stand in them."""
    found = [mention for text in texts for mention in mentions(text, person.forms)]
    named = [mention for mention in found if mention.form]
    if not named:
        return None
    local = [item for mention in named for item in beside_name(mention, person)]
    if _is_short_for_another(found, local):
        return None
    if any(not mention.form for mention in found) and not any(item.points >= 3 for item in local):
        local.append(weighed("longer_name", next(" ".join(m.words) for m in found if not m.form)))
    denials = list(denied(texts))
    told = [] if denials else list(described(person, texts))
    if told:  # who changed parties since is told with the old one as a candidate
        local = [item for item in local if item.name != "other_party"]
    local += denials
    evidence = [*local, *told]
    if all(item.points > 0 for item in local):
        evidence += context(person, named, texts)
    if not any(mention.form and mention.form.alone for mention in named) and not any(
        item.points >= 3 for item in evidence
    ):
        evidence.append(weighed("short_name", " ".join(named[0].words)))
    return _once_each(evidence)


def _is_short_for_another(found: Sequence[Mention], local: Sequence[Evidence]) -> bool:
    """Whether a single word stands for a longer name of the text: `Rocha` where it introduced `Mara Rocha`."""
    own = [mention for mention in found if mention.form]
    longer = {word for mention in found if not mention.form for word in mention.words}
    if any(len(mention.words) > 1 or mention.words[0] not in longer for mention in own):
        return False
    return not any(item.points >= APPROVED_FROM for item in local)


def _once_each(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The first of each kind, the heaviest first."""
    best: dict[str, Evidence] = {}
    for item in evidence:
        best.setdefault(item.name, item)
    _drop_general(best)
    return tuple(sorted(best.values(), key=lambda item: (-abs(item.points), item.name)))


def _drop_general(best: dict[str, Evidence]) -> None:
    """What is said beside the name makes the same of the whole text worthless."""
    for beside, around in (("party", "party_in_text"), ("uf", "uf_in_text"), ("candidacy", "candidacy_in_text")):
        if beside in best:
            best.pop(around, None)
    if "described_in_text" in best:
        for around in ("party_in_text", "uf_in_text", "candidacy_in_text"):
            best.pop(around, None)
    if "office_held" in best or "candidacy" in best:
        best.pop("office_possible", None)
