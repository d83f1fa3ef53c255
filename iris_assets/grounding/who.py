"""Whether a claim lays what it says at the right door: candidates, parties, offices, names, bills."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from iris_assets.grounding.case import Case
from iris_assets.grounding.evidence import Evidence
from iris_assets.grounding.failure import Failure
from iris_assets.grounding.form import Claim, supports_number
from iris_assets.grounding.markers import without_markers
from iris_assets.grounding.names import Mention, aliases
from iris_assets.grounding.support import Place, parts, weight
from iris_assets.words.comparable import fold
from iris_assets.words.lexicon import VERB, is_verb, named_words, root, said_by_sources, word, word_list
from iris_assets.words.offices import find_offices
from iris_assets.words.parties import find_parties, same_party
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, PROPOSITION

MOVED = "OTHER_CANDIDATE"
CAPITAL = re.compile(r"(?<![\w’'])[A-ZÀ-Ý][\wÀ-ÿ]*(?:[’'-][\wÀ-ÿ]+)*")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|‘[^’]*’(?!\w)|https?://\S+")
_STARTS = re.compile(r"(?:^|[.!?:;|*_#>–—-]|\n)[\s*_“\"(]*$")
_FOREIGN = 1.9  # weight of the words of a part that another evidence bears
_LACKS = 1.0  # weight of the words that each of two subjects lacks and the other has
_LISTED = 3  # words up to which a sentence lists things and joins no facts
_BILLS_TOO = frozenset({"PL"})  # "o PL foi apresentado" is no party
_VERBS = frozenset(
    {"e", "foi", "quer", "tem", "teve", "fez", "faz", "pede", "diz", "ve", "poe", "vai", "sera", "era", "esta"}
)
# What says that somebody holds, held or seeks the office that follows.
_HOLDS = (
    r"\b(?:foi|era|ɇ|exerceu|atuou como|ocupou|mandatos? de|eleit[oa]|ex-?|cargo de|candidat(?:[oa]s?|uras?) (?:a|ao|para)"
    r"|concorre\w* (?:a|ao|para)) ?(?:um |uma |[oa] |como |mandato de |cargo de ){0,2}"
)
_BEFORE_OFFICE = re.compile(rf"{_HOLDS}$")
_LONGEST_CUE = 40
_APPOINTED = re.compile(rf"{_HOLDS}(?P<office>(?:ministr|secretari)[oa](?: (?:municipal|estadual))?)\b")
_JOINED = re.compile(r"\s*(?:,|e|&|/|,? e (?:também )?)\s*(?:[oa] )?(?:candidat[oa] )?")
# A subject: "o primeiro quer"; not "para a primeira infância".
_IN_TURN = re.compile(r"(?:^|[,;:(]|\b(?:e|enquanto|que)) *[oa] (?:primeir|segund)[oa]\b(?! [a-z]+[oa]\b)")
_AFTER_NUMBER = re.compile(r"^(?:\s+\S+){0,4}?\s*(?:\(|(?:por|pel[oa]|de|d[oa])\s)")


def misattributed(case: Case, wanted: Sequence[int], places: Mapping[int, Place]) -> Iterator[Failure]:
    """What a claim says of somebody or something that its evidences are not of."""
    yield from _foreign_mentions(case)
    yield from _foreign_parties(case)
    yield from _foreign_scope(case)
    yield from _foreign_offices(case)
    yield from _numbers_of_another(case)
    yield from _merged(case, wanted, places)
    yield from _unknown_names(case)


def own_words(text: str) -> str:
    """A sentence without its markers, quotations and links; positions stay."""
    return _QUOTED.sub(lambda m: " " * len(m[0]), without_markers(text))


def concerns(evidence: Evidence, mention: Mention) -> bool:
    """Whether an evidence is the mentioned candidate's or names them."""
    owned = any(owner.key == mention.owner.key for owner in evidence.owners)
    return owned or any(evidence.mentions(alias) for alias in (mention.alias, *aliases(mention.owner)))


def _foreign_mentions(case: Case) -> Iterator[Failure]:
    for mention in case.mentions:
        if not any(concerns(evidence, mention) for evidence in case.cited):
            yield Failure(MOVED, f"as evidências citadas não são de {mention.owner.names[0]}")
    owned = {owner.key for evidence in case.cited for owner in evidence.owners}
    strangers = owned and case.mentions and not any(mention.owner.key in owned for mention in case.mentions)
    if strangers and case.are_all(GOVERNMENT_PROPOSAL) and case.mentions[0].start < 4:
        yield Failure(MOVED, f"o plano citado só menciona {case.mentions[0].owner.names[0]}")


def _foreign_parties(case: Case) -> Iterator[Failure]:
    bills = any(evidence.source_type == PROPOSITION for evidence in case.cited)
    for mention in find_parties(own_words(case.claim.text)):
        is_bill = bills and mention.acronym in _BILLS_TOO
        named = fold(case.claim.text[mention.start : mention.end])
        if not is_bill and not any(
            e.mentions(named) or any(same_party(mention.acronym, own) for own in e.parties) for e in case.cited
        ):
            yield Failure(MOVED, f"as evidências citadas não são do partido {mention.acronym}")


def _foreign_scope(case: Case) -> Iterator[Failure]:
    if case.scope is None or case.mentions:
        return
    mention = Mention(case.scope, fold(case.scope.names[0]), 0, 0)
    if not any(not evidence.owners or concerns(evidence, mention) for evidence in case.cited):
        detail = f"o contexto fala de {case.scope.names[0]}, as evidências citadas são de outra candidatura"
        yield Failure(MOVED, detail)


def _foreign_offices(case: Case) -> Iterator[Failure]:
    """An office that somebody is said to hold, seek or have held and that no cited evidence knows."""
    body = without_markers(case.claim.text)
    folded = fold(re.sub(r"(?<!\w)[éÉ](?!\w)", "ɇ", body))  # "é" is no "e"
    for mention in find_offices(body):
        claimed = _BEFORE_OFFICE.search(folded, max(mention.start - _LONGEST_CUE, 0), mention.start)
        if claimed and not any(evidence.offices.intersection(mention.offices) for evidence in case.cited):
            yield _unknown_office(body[mention.start : mention.end])
    for match in _APPOINTED.finditer(folded):
        stem = re.sub(r"^\w+", lambda first: rf"\b{first[0][:-1]}\\w*", match["office"])
        if not any(re.search(stem, evidence.folded) for evidence in case.cited):
            yield _unknown_office(match["office"])


def _unknown_office(office: str) -> Failure:
    return Failure("NAME_NOT_IN_EVIDENCE", f"as evidências citadas não trazem o cargo de {office}")


def _numbers_of_another(case: Case) -> Iterator[Failure]:
    """A number must be in the evidence of the candidate that it is said of, clause by clause between citations."""
    if len({owner.key for evidence in case.cited for owner in evidence.owners}) < 2:
        return
    for text in re.split(r"(?:\s*\[E\d+\])+", case.claim.text):
        clause = Claim(text)
        if _IN_TURN.search(clause.folded):
            continue  # "o primeiro quer …; o segundo": each clause is judged by what it cites
        mentions = case.register.mentions(clause.view.text.title())
        groups = _joined(mentions, clause.view.text)
        paired = "respectivamente" in clause.folded and len(mentions) == len(clause.numbers)
        for index, number in enumerate(clause.numbers):
            said_of = [mentions[index]] if paired else _said_of(number.start, number.end, groups, clause.folded)
            for mention in said_of:
                own = [evidence for evidence in case.cited if concerns(evidence, mention)]
                shared = any(str(len(group)) == number.text for group in groups if len(group) > 1)
                if not shared and not supports_number(number, clause, own):
                    yield Failure(MOVED, f"o número {number.text} não está na evidência de {mention.owner.names[0]}")


def _joined(mentions: Sequence[Mention], text: str) -> list[list[Mention]]:
    """Mentions that stand together ("Ana e Bruno") as one group."""
    groups: list[list[Mention]] = []
    for mention in mentions:
        if groups and _JOINED.fullmatch(text[groups[-1][-1].end : mention.start]):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def _said_of(start: int, end: int, groups: list[list[Mention]], text: str) -> list[Mention]:
    before = [group for group in groups if group[-1].end <= start]
    after = [group for group in groups if group[0].start >= end]
    if after and (not before or _AFTER_NUMBER.fullmatch(text[end : after[0][0].start])):
        return after[0]
    return before[-1] if before else []


def _merged(case: Case, wanted: Sequence[int], places: Mapping[int, Place]) -> Iterator[Failure]:
    """Facts of one candidate or bill laid at another's door: each part must rest on the evidence of its subject."""
    claim, bills = case.claim, case.claim.bills
    named = {mention.owner.key for mention in case.mentions}
    subject = _of_any(case, named) if len(named) == 1 else []
    if not named and len(bills) == 1:
        subject = [e for e in case.cited if e.source_type == PROPOSITION and e.has_bill(bills[0])]
    if not named and not subject:
        yield from _joined_subjects(case, wanted)
    if len(named) > 1:
        yield from _each_its_own(case, wanted)
    if not subject or len(subject) == len(case.cited):
        return
    for bill in bills:
        if not any(evidence.has_bill(bill) for evidence in subject):
            yield Failure(MOVED, f"{bill.text.upper()} não está na evidência de quem a frase fala")
    if _lacking(case, wanted, subject) >= _LACKS:
        yield Failure(MOVED, "parte da frase está só na evidência de outra candidatura ou proposição", goes=False)
    for part in parts(claim, sorted(places)):
        foreign = [token for token in part if case.cited[places[token].evidence] not in subject]
        if weight(claim, foreign) >= _FOREIGN:
            said = claim.view.text[claim.tokens[foreign[0]].start : claim.tokens[foreign[-1]].end]
            yield Failure(MOVED, f"“{said}” está na evidência de outra candidatura ou proposição")


def _of_any(case: Case, keys: Collection[str]) -> list[Evidence]:
    """The cited evidences of some candidates."""
    return [evidence for evidence in case.cited if any(owner.key in keys for owner in evidence.owners)]


def _each_its_own(case: Case, wanted: Sequence[int]) -> Iterator[Failure]:
    """`Ana quer creches e Bruno, escolas`, `Ana e Bruno querem creches`: what is said of each stands in their evidence."""
    groups = _joined(case.mentions, case.claim.view.text)
    for number, group in enumerate(groups):
        start = group[0].start if number else 0
        end = groups[number + 1][0].start if number + 1 < len(groups) else len(case.claim.folded)
        said = [token for token in wanted if start <= case.claim.tokens[token].start < end]
        for mention in group:
            own = _of_any(case, {mention.owner.key})
            if own and _lacking(case, said, own) >= _LACKS:
                yield Failure(MOVED, f"a evidência de {mention.owner.names[0]} não diz isso", goes=False)


def _lacking(case: Case, wanted: Sequence[int], own: Sequence[Evidence]) -> float:
    """The weight of the words that some evidences lack and another cited one has."""
    words = [case.claim.tokens[token].word for token in wanted]
    others = [evidence for evidence in case.cited if evidence not in own]
    return sum(
        word.weight
        for word in words
        if word.weight >= VERB
        and not any(word.keys & evidence.keys for evidence in own)
        and any(word.keys & evidence.keys for evidence in others)
    )


def _joined_subjects(case: Case, wanted: Sequence[int]) -> Iterator[Failure]:
    """A sentence of no named subject of which each candidate's or bill's evidence lacks what another one's has."""
    subjects: dict[str, list[Evidence]] = {}
    for evidence in case.cited:
        of_bill = evidence.source_type == PROPOSITION or not evidence.owners
        subjects.setdefault(evidence.title if of_bill else evidence.owners[0].key, []).append(evidence)
    if (
        len(subjects) > 1
        and len(wanted) > _LISTED
        and all(_lacking(case, wanted, own) >= _LACKS for own in subjects.values())
    ):
        detail = "a frase junta fatos de candidaturas ou proposições diferentes sem dizer de quem são"
        yield Failure(MOVED, detail, goes=False)


def _unknown_names(case: Case) -> Iterator[Failure]:
    """Proper names that none of the cited evidences holds."""
    body = re.sub(r"(?<=[a-zà-ÿ])-\s+(?=[a-zà-ÿ])", "", _without_parties(own_words(case.claim.text)))
    words = list(CAPITAL.finditer(body))
    if len(words) > 3 and len(re.findall(r"(?<!\w)[a-zà-ÿ]{4,}", body)) < 2:
        return  # a title in capitals: no word of it is known to be a name
    for match in words:
        if any(fold(match[0]) in number.text.split() for number in case.claim.numbers):
            continue  # a Roman numeral, or the first word of "Setenta e seis"
        missing = [part for part in _name_parts(match[0]) if not _known(part, match[0], case.cited)]
        if not missing or (_STARTS.search(body[: match.start()]) and not _is_subject(body, match, case.cited)):
            continue
        elsewhere = any(part in evidence.forms for evidence in case.everyone for part in missing)
        leads = not body[: match.start()].strip("*_ ") and any(evidence.owners for evidence in case.cited)
        reason = MOVED if elsewhere or leads else "NAME_NOT_IN_EVIDENCE"
        yield Failure(reason, f"as evidências citadas não falam de {match[0]}")


def _without_parties(text: str) -> str:
    """A sentence without the parties that it names: those are judged by themselves."""
    for mention in find_parties(text):
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


def _name_parts(name: str) -> list[str]:
    return [part for part in re.findall(r"[a-z]+", fold(name)) if len(part) > 1]


def _known(part: str, written: str, cited: Sequence[Evidence]) -> bool:
    known = word(part)
    if any(part in word_list("plain.txt", name) for name in ("empty", "general")):
        return True
    if any(part in named_words(name) for name in ("institutional", "titles", "particles")):
        return True
    if any(part in evidence.forms or known.keys & evidence.keys for evidence in cited):
        return True
    acronym = len(written) <= 8 and sum(map(str.isupper, written)) > 1
    return acronym and any(evidence.spells(part.rstrip("s")) for evidence in cited)


def _is_subject(body: str, match: "re.Match[str]", cited: Sequence[Evidence]) -> bool:
    """Whether a word that opens a sentence is a name: another name or a verb follows it."""
    following = re.match(r"[,]?\s+([^\W\d_]+(?:[’'-][^\W\d_]+)*)", body[match.end() :])
    if not following or word(fold(match[0])).keys - {root(fold(match[0]))}:
        return False  # a word with synonyms is a word of the language
    form = fold(following[1])
    if following[1][0].isupper():
        return any(not _known(part, following[1], cited) for part in _name_parts(following[1]))
    return (
        form in _VERBS or root(form) in said_by_sources() or (is_verb(form) and not form.endswith(("ar", "er", "ir")))
    )
