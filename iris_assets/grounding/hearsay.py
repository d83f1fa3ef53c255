"""Who says it: what a plan says about others is that plan's word, and no charge against a person is repeated."""

import re
from collections.abc import Iterator, Sequence

from iris_assets.grounding.case import Case
from iris_assets.grounding.evidence import Evidence
from iris_assets.grounding.failure import Failure
from iris_assets.grounding.reading import find_phrases
from iris_assets.grounding.who import CAPITAL, own_words
from iris_assets.words.comparable import fold
from iris_assets.words.lexicon import named_words, word
from iris_assets.words.parties import find_parties, same_party
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL

_RULERS = r"(?:governos?|gest(?:ao|oes)|president\w+|governador\w*|prefeit\w+)"
_GOVERNMENT = re.compile(
    rf"\b(?:atua(?:l|is)|antig[oa]s?|ultim[oa]s?) {_RULERS}"
    rf"|\b{_RULERS} (?:atua(?:l|is)|anterior\w*|passad\w*|em exercicio|d[oe] \d{{4}}|que (?:saiu|termin\w+))"
)
_PAST = re.compile(r"\b(?:foi|foram|teve|tiveram|era|eram|houve|\w{3,}(?:ou|aram|eram|iram|[bcdfglmnprstvz]eu|iu))\b")
_TOLD = re.compile(
    r"\b(?:segundo|conforme|de acordo|na (?:visao|avaliacao|leitura)|plano|programa|documento|texto|proposta|candidat[oa]"
    r"|partido|sigla|legenda|coligacao|chapa|capitulo|carta|manifesto)\b"
)
_TO_COME = re.compile(r"\w{3,}(?:ra|rao|ria|riam)|vai|vao|dev\w+|precis\w+|pod\w+|tera|terao|sera|serao")
_OPENING, _LEADING = 14, 6  # words of a sentence in which its verb stands, and its subject
_SUBJECT = re.compile(
    r"\W*([A-ZÀ-Ý][a-zà-ÿ]{3,}) (?:\w+ )?\w+(?:ou|aram|eu|eram|iu|iram|a|e|am|em) "
)  # "Fulano atrasou …"


def hearsay(case: Case) -> Iterator[Failure]:
    """Charges and statements about others that a claim makes its own."""
    if not case.are_all(GOVERNMENT_PROPOSAL):
        return
    body = own_words(case.claim.text)
    charges = _charges(case, body)
    others = _others(body, case.cited)
    if charges and others:
        yield Failure("ACCUSATION", f"acusação a {others[0]} em plano de outra candidatura não é repetida")
    elif "verdict" in charges and not _attributed(case, body):
        yield Failure("NOT_ATTRIBUTED", "o juízo é do plano citado e a frase não o diz")
    elif charges and _GOVERNMENT.search(case.claim.folded) and not _attributed(case, body):
        yield Failure(
            "NOT_ATTRIBUTED",
            "é o plano citado que diz isso do governo; a frase não o diz",
            goes=False,
        )
    elif _tells_of_others(case.claim.folded) and not _attributed(case, body):
        detail = "é o plano citado que diz isso; a frase não o diz"
        yield Failure("NOT_ATTRIBUTED", detail, goes=False)
    elif others and others[0] in " ".join(body.split()[:_LEADING]) and not _attributed(case, body):
        yield Failure(
            "NOT_ATTRIBUTED",
            f"é o plano citado que diz isso de {others[0]}; a frase não o diz",
            goes=False,
        )


def _tells_of_others(folded: str) -> bool:
    """Whether a sentence tells what happened, or begins with somebody who acts in politics and tells what they do."""
    opening = re.findall(r"[a-z]+", folded)[:_OPENING]
    if any(_PAST.fullmatch(form) for form in opening):
        return True
    subject = next((form for form in opening if word(form).weight), "")
    return subject in named_words("actors") and not any(_TO_COME.fullmatch(form) for form in opening)


def _charges(case: Case, body: str) -> set[str]:
    """The classes of charging words that stand outside quotations."""
    own = body.lower()
    tokens = case.claim.tokens
    found = find_phrases(case.claim, "accusations.txt")
    return {name for name, first, last in found if case.claim.view.text[tokens[first].start : tokens[last].end] in own}


def _attributed(case: Case, body: str) -> bool:
    """Whether a sentence tells whose words it gives: "segundo o plano", "Vera afirma", "para o PSTU"."""
    if _TOLD.search(case.claim.folded):
        return True
    owners = {owner.key for evidence in case.cited for owner in evidence.owners}
    ours = [party for evidence in case.cited for party in evidence.owner_parties]
    named = any(mention.owner.key in owners for mention in case.mentions)
    return named or any(same_party(party.acronym, own) for party in find_parties(body) for own in ours)


def _others(body: str, plans: Sequence[Evidence]) -> list[str]:
    """People and parties of a sentence that are not the plan's own."""
    own = {part for plan in plans for owner in plan.owners for name in owner.names for part in fold(name).split()}
    people = {person for plan in plans for person in plan.people} - own
    if (lead := _SUBJECT.match(body)) and any(fold(lead[1]) in plan.proper for plan in plans):
        people |= {fold(lead[1])} - own
    ours = [party for plan in plans for party in plan.owner_parties]
    parties = [mention.acronym for mention in find_parties(body)]
    names = [match[0] for match in CAPITAL.finditer(body) if fold(match[0]) in people]
    return names + [party for party in parties if ours and not any(same_party(party, one) for one in ours)]
