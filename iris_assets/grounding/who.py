"""Who a sentence speaks of and who says it: names, parties, authors and what a plan says about somebody else."""

import re
from collections.abc import Iterator, Mapping, Sequence

from iris_assets.grounding.bills import FoundBill
from iris_assets.grounding.citations import MARKER
from iris_assets.grounding.evidence import GateEvidence
from iris_assets.grounding.lexicon import is_verb, root, word, word_list
from iris_assets.grounding.names import Register
from iris_assets.grounding.normalise import fold
from iris_assets.grounding.reading import Reading, find_phrases
from iris_assets.grounding.support import Place, parts
from iris_assets.grounding.verdict import Failure
from iris_assets.grounding.vocabulary import INSTITUTIONAL, PARTICLES, TITLES
from iris_assets.words.parties import find_parties, same_party
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, PROPOSITION

_CAPITAL = re.compile(r"(?<![\w’'])[A-ZÀ-Ý][\wÀ-ÿ]*(?:[’'-][\wÀ-ÿ]+)*")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|‘[^’]*’(?!\w)|https?://\S+")
_STARTS = re.compile(r"(?:^|[.!?:;|*_#>–—-]|\n)[\s*_“\"(]*$")
_FOREIGN = 1.9  # weight of the words of a part that another evidence bears
_BILLS_TOO = frozenset({"PL"})  # "o PL foi apresentado" is no party
_VERBS = frozenset(
    ["e", "foi", "quer", "tem", "teve", "fez", "faz", "pede", "diz", "ve", "poe", "vai", "sera", "era", "esta"]
)


def unknown_names(text: str, cited: Sequence[GateEvidence], everyone: Sequence[GateEvidence]) -> Iterator[Failure]:
    """Proper names of a sentence that none of its cited evidences holds."""
    body = _without_parties(_own_words(text))
    words = list(_CAPITAL.finditer(body))
    if len(words) > 3 and len(re.findall(r"(?<!\w)[a-zà-ÿ]{4,}", body)) < 2:
        return  # a title in capitals: no word of it is known to be a name
    for match in words:
        parts = [part for part in re.findall(r"[a-z]+", fold(match[0])) if len(part) > 1]
        missing = [part for part in parts if not _known(part, match[0], cited)]
        if not missing or (_STARTS.search(body[: match.start()]) and not _is_subject(body, match, cited)):
            continue
        elsewhere = any(part in evidence.forms for evidence in everyone for part in missing)
        if elsewhere or (not body[: match.start()].strip("*_ ") and any(evidence.owners for evidence in cited)):
            yield Failure("OTHER_CANDIDATE", f"as evidências citadas não falam de {match[0]}")
        else:
            yield Failure("NAME_NOT_IN_EVIDENCE", f"as evidências citadas não trazem o nome {match[0]}")
        return


def foreign_party(text: str, cited: Sequence[GateEvidence]) -> Failure | None:
    """A party that no cited evidence is of or names."""
    bills = any(evidence.source_type == PROPOSITION for evidence in cited)
    for mention in find_parties(_own_words(text)):
        if bills and mention.acronym in _BILLS_TOO:
            continue
        own = {party for evidence in cited for party in evidence.parties}
        if not any(same_party(mention.acronym, party) for party in own):
            return Failure("OTHER_CANDIDATE", f"as evidências citadas não são do partido {mention.acronym}")
    return None


def hearsay(
    text: str, claim: Reading, cited: Sequence[GateEvidence], register: Register
) -> Iterator[tuple[bool, Failure]]:
    """(whether it goes, why): what a plan says about others is that plan's word, and no charge against a person."""
    plans = [evidence for evidence in cited if evidence.source_type == GOVERNMENT_PROPOSAL]
    if not plans or len(plans) < len(cited):
        return
    body = _own_words(text)
    own = {part for plan in plans for owner in plan.owners for name in owner.names for part in fold(name).split()}
    charges = {
        name: claim.tokens[first].start
        for name, first, _ in find_phrases(claim, "accusations.txt")
        if claim.view.text[claim.tokens[first].start : claim.tokens[first].end] in fold_plain(body)
    }
    others = _others(body, own, plans)
    told = attributed(claim, body, plans, register)
    if charges and others:
        yield True, Failure("ACCUSATION", f"acusação a {others[0]} em plano de outra candidatura não é repetida")
    elif "verdict" in charges and not told:
        yield True, Failure("NOT_ATTRIBUTED", "o juízo é do plano citado e a frase não o diz")
    elif others and not told and _leads(body, others[0]):
        yield False, Failure("NOT_ATTRIBUTED", f"é o plano citado que diz isso de {others[0]}; a frase não o diz")


def merged(
    claim: Reading,
    bills: Sequence[FoundBill],
    cited: Sequence[GateEvidence],
    register: Register,
    places: Mapping[int, Place],
) -> Iterator[Failure]:
    """Facts of one candidate or bill laid at another's door: each part must rest on the evidence of its subject."""
    mentioned = {mention.owner.key for mention in register.mentions(claim.view.text.title())}
    owners = [evidence for evidence in cited if mentioned & {owner.key for owner in evidence.owners}]
    subject = owners if len(mentioned) == 1 else []
    if not mentioned and len(bills) == 1:
        subject = [e for e in cited if e.source_type == PROPOSITION and e.has_bill(bills[0])]
    if not subject or len(subject) == len(cited):
        return
    own = {index for index, evidence in enumerate(cited) if evidence in subject}
    for bill in bills:
        if not any(evidence.has_bill(bill) for evidence in subject):
            yield Failure("OTHER_CANDIDATE", f"{bill.text.upper()} não está na evidência de quem a frase fala")
    for part in parts(claim, sorted(places)):
        foreign = [token for token in part if places[token].evidence not in own]
        weight = sum(claim.tokens[token].word.weight for token in foreign)
        if weight >= _FOREIGN:
            said = claim.view.text[claim.tokens[foreign[0]].start : claim.tokens[foreign[-1]].end]
            yield Failure("OTHER_CANDIDATE", f"“{said}” está na evidência de outra candidatura ou proposição")


def attributed(claim: Reading, body: str, cited: Sequence[GateEvidence], register: Register) -> bool:
    """Whether a sentence tells whose words it gives: "segundo o plano", "Vera afirma", "para o PSTU"."""
    told = any(root(token.word.form) in _says() for token in claim.tokens)
    owners = {owner.key for evidence in cited for owner in evidence.owners}
    named = any(mention.owner.key in owners for mention in register.mentions(body))
    party = any(same_party(m.acronym, own) for m in find_parties(body) for e in cited for own in e.owner_parties)
    return told or named or party


def fold_plain(text: str) -> str:
    """Lower case with marks, as comparable text is."""
    return text.lower()


def _own_words(text: str) -> str:
    """A sentence without its markers, quotations and links."""
    return _QUOTED.sub(lambda m: " " * len(m[0]), MARKER.sub(lambda m: " " * len(m[0]), text))


def _without_parties(text: str) -> str:
    """A sentence without the parties that it names: `foreign_party` judges them."""
    for mention in find_parties(text):
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


def _says() -> frozenset[str]:
    return frozenset(map(root, word_list("plain.txt", "says")))


def _known(part: str, written: str, cited: Sequence[GateEvidence]) -> bool:
    known = word(part)
    if part in INSTITUTIONAL | TITLES | PARTICLES or known.weight < 0.5:
        return True
    if any(part in evidence.forms or known.keys & evidence.keys for evidence in cited):
        return True
    return len(written) <= 8 and sum(map(str.isupper, written)) > 1 and any(e.spells(part.rstrip("s")) for e in cited)


def _is_subject(body: str, match: "re.Match[str]", cited: Sequence[GateEvidence]) -> bool:
    """Whether a word that opens a sentence is a name: another name or a verb follows it."""
    following = re.match(r"[,]?\s+([^\W\d_]+(?:[’'-][^\W\d_]+)*)", body[match.end() :])
    if not following or word(fold(match[0])).keys - {root(fold(match[0]))}:
        return False  # a word with synonyms is a word of the language
    form = fold(following[1])
    if following[1][0].isupper():
        return any(not _known(part, following[1], cited) for part in re.findall(r"[a-z]{2,}", form))
    return form in _VERBS or root(form) in _says() or (is_verb(form) and not form.endswith(("ar", "er", "ir")))


def _others(body: str, own: set[str], plans: Sequence[GateEvidence]) -> list[str]:
    """People and parties of a sentence that are not the plan's own."""
    people = {person for plan in plans for person in plan.people}
    names = [m[0] for m in _CAPITAL.finditer(body) if fold(m[0]) in people and fold(m[0]) not in own]
    parties = [m.acronym for m in find_parties(body)]
    ours = [party for plan in plans for party in plan.owner_parties]
    return names + [party for party in parties if ours and not any(same_party(party, one) for one in ours)]


def _leads(body: str, name: str) -> bool:
    """Whether a name stands among the first words of a sentence, where its subject does."""
    return name in " ".join(body.split()[:6])
