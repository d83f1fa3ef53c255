"""What a count or a list restricts its records to: every word of the question is understood, or there is no number."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal

from iris_assets.indexing.analyzer import analyze
from iris_assets.question.parsed import ParsedQuery
from iris_assets.question.periods import Years, periods
from iris_assets.question.standing import take_standing
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.words.bill_kinds import acronyms, by_acronym, spelled_out
from iris_assets.words.text import word_set

Noun = Literal["bills", "authors", "candidates", "plans", "mandates", "topics"]
By = Literal[
    "party", "state", "office", "round_result", "registration_status", "election_year", "type", "year", "topic"
]
TopicNamed = Callable[[Sequence[str]], str | None]

_BILLS = r"PROJETOS?(?: DE LEI)?|PROPOSIC(?:AO|OES)(?: LEGISLATIVAS?)?|MATERIAS? LEGISLATIVAS?|PROPOSTAS? LEGISLATIVAS?"
NOUNS: Final[tuple[tuple[Noun, str], ...]] = (
    ("authors", r"(?:CO ?)?AUTOR(?:ES|AS?)?|SIGNATARI[OA]S?"),
    ("plans", r"(?:PLANOS?|PROGRAMAS?|PROPOSTAS?)(?: DE GOVERNO)?"),
    ("mandates", r"(?:REGISTROS? DE )?MANDATOS?"),
    (
        "topics",
        r"(?:TEMAS?|ASSUNTOS?|TOPICOS?|TEMATICAS?)(?: DIFERENTES)?|(?:MAIS )?(?:PRINCIPA(?:L|IS)|RECORRENTES?|FREQUENTES?|COMUNS"
        r"|ABORDADOS|TRATADOS)",
    ),
    ("bills", _BILLS),
    ("candidates", r"(?:PRE ?)?CANDIDAT[OA]S?(?: [AO]S?)?|CANDIDATURAS?|PESSOAS?|GENTE|CONCORRENTES?|POSTULANTES?|NOMES?"),
)  # fmt: skip
HOW_MANY: Final = r"QUANT[OA]S?|QN?T[OA]S?|QTD\w*|QUANTIDADES?|NUMEROS?|TOTAL|TOTAIS|CONTAGEM|CONTAGENS|SOMA"
SHOWN: Final = {
    "bills": ("proposição", "proposições"),
    "authors": ("autor", "autores"),
    "candidates": ("candidatura", "candidaturas"),
    "plans": ("plano de governo", "planos de governo"),
    "mandates": ("registro de mandato", "registros de mandato"),
    "topics": ("tema", "temas"),
}
GROUPS: Final[tuple[tuple[By, str], ...]] = (
    ("party", "PARTIDOS?|LEGENDAS?|SIGLAS?|AGREMIAC(?:AO|OES)"), ("state", "UFS?|ESTADOS?|UNIDADES? DA FEDERACAO"),
    ("office", "CARGOS?"), ("round_result", "RESULTADOS?"), ("registration_status", "SITUAC(?:AO|OES)"),
    ("election_year", "ELEIC(?:AO|OES)"), ("year", "ANOS?"), ("type", "TIPOS?|ESPECIES?"), ("topic", "TEMAS?|ASSUNTOS?"),
)  # fmt: skip
GROUPED: Final = r"(?:POR|(?:DE|EM|PARA)? ?CADA|SEPARAD[OA]S? POR|DIVIDID[OA]S? POR|AGRUPAD[OA]S? POR)(?: CADA)?"
# What changes a restriction into another one: without a rule that reads it there is no number.
OPERATORS: Final = word_set(
    """NAO NEM EXCETO MENOS SEM FORA TIRANDO SALVO EXCLUINDO EXCLUSIVE MAIS ACIMA ABAIXO MAIOR MENOR MEDIA
    PERCENTUAL PORCENTAGEM PROPORCAO AMBOS AMBAS OUTROS OUTRAS DEMAIS RESTANTE CANDIDATAS DEPUTADAS SENADORAS
    GOVERNADORAS ELEITAS MULHERES MULHER HOMENS"""
)
GRAMMAR: Final = word_set(
    """A O AS OS E EH DE DA DO DAS DOS EM NO NA NOS NAS AO AOS PELO PELA PELOS PELAS POR PARA PRA PRO QUE SE SAO
    FOI FORAM ESTA ESTAO CONSTA CONSTAM HA HAVIA HOUVE EXISTE EXISTEM TEM TEVE QUAL QUAIS QUEM JA UM UMA UNS UMAS OU COM"""
)
RUNNING: Final = re.compile(
    r"(?:CONCORR|DISPUT|REGISTR|TENT|PARTICIP|APRESENT|PROTOCOL|LANC|FIC|HOUV|EXIST|CANDIDAT|US)(?:A|AM|OU|ARAM|ERAM|EU|EM"
    r"|E|AVAM|IAM|AD[OA]S?|ANDO|ENDO|AR|ER|U)|ASSIN(?:A|AM|OU|ARAM|AD[OA]S?)|FEZ|FIZERAM|DISPUTA|FEDERAIS|FEDERAL"
    r"|URNA|GUARDAD[OA]S|INDEXAD[OA]S|DERAM|RELACAO|LISTA\w*|LISTE|NOMES?|TODOS|TODAS|QUEM|DIFERENTES|DISTINTOS"
)
# Where all counted records are: it restricts nothing. "Na base do governo" does.
STORED: Final = (
    r"N[OA]S? (?:(?:NOSS|TU|SU|VOSS|DEST|DESS)[OA]S? )?(?:(?:BASES?|BANCOS?) DE DADOS|BASE|BANCO|ACERVO|SISTEMA|ARQUIVO)"
    r"(?! (?:D[OAE]S?|ALIADA|GOVERNISTA)\b)"
)
HEADS: Final = re.compile(r"PARTIDOS?|LEGENDA|SIGLA|ESTADOS?|UF|CARGOS?|VAGAS?")
_QUANTOS: Final = r"QUANT[OA]S|QN?T[OA]S"
RESTRICTING: Final = frozenset({"PARTY", "PLACE", "OFFICE", "YEAR", "NUMBER", "TOPIC", "REFERENCE"})
OF_BILLS: Final = frozenset({"bills", "authors", "topics"})
NAMED_KINDS: Final = word_set("PL PLP PLV PDL PRC PEC MPV RIC REQ INC")
STEMMED: Final = 5
DEPUTY: Final = {"DEPUTADO FEDERAL", "DEPUTADO ESTADUAL", "DEPUTADO DISTRITAL"}


COUNTS_SURELY: Final = re.compile(
    rf"\b(?:{_QUANTOS}|QTD\w*(?: DE)?|(?:QUANTIDADE|TOTAL|CONTAGEM|NUMERO TOTAL)(?: GERAL)? D[EOA]S?)"
    rf" (?:[A-Z]+ )?(?:{'|'.join(pattern for _, pattern in NOUNS)}|DEPUTADOS|SENADORES|GOVERNADORES|ELEITOS|SUPLENTES"
    rf"|{'|'.join(sorted(acronyms()))})S?\b"
)


@dataclass(frozen=True, slots=True)
class Wish:
    """Records of `noun` that `scope` and `standing` leave; bills of `types`, `years` and `topic`; grouped `by` a column.

    `numbers` are ballot numbers. Empty values do not restrict.
    """

    noun: Noun
    scope: SearchFilter
    types: tuple[str, ...] = ()
    years: Years = field(default_factory=Years)
    topic: str | None = None
    standing: Standing = field(default_factory=Standing)
    numbers: tuple[int, ...] = ()
    by: By | None = None
    indexed_elections: tuple[int, ...] = ()


RESTRICTS: Final = re.compile(
    rf"(?:{'|'.join(sorted(OPERATORS))})$|(?:RE)?ELE[IG](?!C)|(?:IN)?APT|(?:IN)?DEFERI|SUPLENT|TURNO|PERDE|PERDID|GANH|VENC|DERROT"
    r"|MEDI[AO]|QUOCIENTE|CASSAD|IMPUGN|RENUNCI|BANCADA|BRASIL|PAIS$|FALECID|TITULAR"
)


def _asks(form: str, frame: frozenset[str]) -> bool:
    """Whether a word (or another form of it) is only ever used to ask, or says only that somebody runs or files."""
    return form in frame or RUNNING.fullmatch(form) is not None or bool(stems(frame).intersection(analyze(form)))


@lru_cache(maxsize=2)
def stems(frame: frozenset[str]) -> frozenset[str]:
    """The stems of the words of asking that are at least of STEMMED letters."""
    return frozenset(stem for word in frame if len(word) >= STEMMED for stem in analyze(word))


class Words:
    """The words of a clause, taken by the patterns that understand them."""

    def __init__(self, words: Sequence[tuple[str, str]]) -> None:
        self.forms, self.tags = [form for form, _ in words], [tag for _, tag in words]
        self.taken = [False] * len(words)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return list(zip(self.forms, self.tags, strict=True))

    def take_free(self, pattern: str) -> re.Match[str] | None:
        """Take a place that is no part of an office's name ("primeiro suplente de senador")."""
        return self.take(pattern, "OFFICE")

    def take(self, pattern: str, but: str = "") -> re.Match[str] | None:
        """Take the first place of whole words, none tagged `but`, that fits; None when there is none."""
        for match in re.finditer(rf"(?<!\S)(?:{pattern})(?!\S)", " ".join(self.forms)):
            places = range(*self._places(match))
            if not any(self.taken[place] or self.tags[place] == but for place in places):
                for place in places:
                    self.taken[place] = True
                return match
        return None

    def take_tags(self, *tags: str) -> None:
        for at, tag in enumerate(self.tags):
            self.taken[at] |= tag in tags

    def left(self, frame: frozenset[str]) -> list[str]:
        """What nobody took and no question uses just to ask."""
        return [
            form
            for form, taken in zip(self.forms, self.taken, strict=True)
            if not taken and (RESTRICTS.match(form) or not (form in GRAMMAR or _asks(form, frame)))
        ]

    def _places(self, match: re.Match[str]) -> tuple[int, int]:
        text = match.string
        start = text.count(" ", 0, match.start())
        return start, start + match[0].count(" ") + 1


def counts(
    parsed: ParsedQuery, scope: SearchFilter, frame: frozenset[str], topic_named: TopicNamed
) -> list[Wish] | None:
    """The counts that a question asks for, in order; None when a word of it restricts by what is not understood.

    `scope` is the caller's filter, which holds too.
    """
    if untold(parsed.folded):
        return None
    found: list[Wish] = []
    for clause in _clauses(parsed):
        wish = _wish(clause, parsed, scope, frame, topic_named, found[-1] if found else None)
        if wish is None:
            return None
        found.append(wish)
    return found


def listed(parsed: ParsedQuery, scope: SearchFilter, frame: frozenset[str]) -> Wish | None:
    """The candidatures that a question asks to be listed; None when it restricts them by more than the registry tells."""
    if untold(parsed.folded):
        return None
    words = Words(parsed.words)
    words.take(STORED)
    words.take(NOUNS[-1][1])
    words.take("PARTIDOS?(?! D)")
    wish = _restricted(Wish("candidates", scope), words, parsed, scope)
    return wish if wish is not None and not words.left(frame) else None


def asks_how_many(folded: str) -> bool:
    """Whether a question certainly asks for a number of records: "quantos projetos", "total de candidatos"."""
    return COUNTS_SURELY.search(folded) is not None


def _clauses(parsed: ParsedQuery) -> Iterator[Sequence[tuple[str, str]]]:
    """What is counted, cut before each further "quantos": other sentences lend their names and places only."""
    words = parsed.words
    starts = [at for at, (form, _) in enumerate(words) if re.fullmatch(_QUANTOS, form)]
    counting = {_sentence(parsed, at) for at in starts} or {_sentence(parsed, at) for at in range(len(words))}
    kept = [
        at for at, (form, tag) in enumerate(words)
        if _sentence(parsed, at) in counting or (tag in RESTRICTING or form in OPERATORS)
    ]  # fmt: skip
    cuts = [-1, *starts[1:], len(words)]
    for start, end in pairwise(cuts):
        clause = [words[at] for at in kept if start <= at < end]
        if clause:
            yield clause


def _sentence(parsed: ParsedQuery, at: int) -> int:
    return sum(start <= at for start in parsed.sentences)


def _wish(
    clause: Sequence[tuple[str, str]], parsed: ParsedQuery, scope: SearchFilter, frame: frozenset[str],
    topic_named: TopicNamed, before: Wish | None,
) -> Wish | None:  # fmt: skip
    words = Words(clause)
    words.take(HOW_MANY)
    words.take(HOW_MANY)
    words.take(STORED)
    by, text = _grouped(words), " ".join(words.forms)
    types = _types(words)
    noun = _noun(words, types, before, parsed)
    if noun is None or not is_clear(words, noun, bool(parsed.people.candidates)) or _is_beside(text, types):
        return None
    if noun == "candidates" and before is None and not CANDIDACY.search(text):
        return None  # "quantos deputados": those in office, whom the registry of an election does not tell
    wish = _restricted(Wish(noun, scope, types, by=by), words, parsed, scope)
    if wish is None:
        return None
    left = [word for word in words.left(frame) if word not in OF_TOPIC]
    if left and noun in ("bills", "authors") and not OPERATORS & set(left):
        topic = topic_named(left) if all(analyze(word) for word in left) else None
        return replace(wish, topic=topic) if topic else None
    if left:
        return None
    return _inherited(wish, before) if before is not None else wish


def _is_beside(text: str, types: tuple[str, ...]) -> bool:
    """Whether a kind of bills stands beside all of them: "requerimentos e projetos"."""
    generic = r"(?:PROJETOS?(?! DE)|PROPOSIC(?:AO|OES))"
    return (
        bool(types)
        and re.search(rf"{generic} (?:E|OU) |(?:E|OU|SOBRE) (?:OS )?{generic}|SOBRE (?:PECS?|PLS?)\b", text) is not None
    )


OF_TOPIC: Final = word_set("TEMA AREA ASSUNTO SOBRE TRATAM COMO TODO TIPO")


def _noun(words: Words, types: tuple[str, ...], before: Wish | None, parsed: ParsedQuery) -> Noun | None:
    places = []
    text = " ".join(words.forms)
    for noun, pattern in NOUNS:
        match = re.search(rf"(?<!\S)(?:{pattern})(?!\S)", text)
        if match is not None:
            places.append((match.start(), noun, pattern))
    if types and not any(noun in ("authors", "topics") for _, noun, _ in places):
        words.take(_BILLS)
        return "bills"
    if places:
        _, noun, pattern = min(places)
        while words.take(pattern):
            pass
        if noun in ("authors", "topics"):
            words.take(_BILLS)
        if noun != "candidates" and not words.take(r"CANDIDATOS") and noun == "plans":
            words.take("CANDIDATOS?")
        return noun
    if before is not None:
        return before.noun
    return "candidates" if parsed.scope.offices or parsed.scope.parties or parsed.scope.states else None


def kinds_named(parsed: ParsedQuery) -> tuple[str, ...]:
    """The kinds of bills that a question names; none: all of them."""
    return _types(Words(parsed.words))


def _types(words: Words) -> tuple[str, ...]:
    """The kinds of bills that the words name; "projetos" alone are all of them."""
    found = {acronym for pattern, acronym in _spelled_kinds() if words.take(pattern)}
    for at, (form, tag) in enumerate(words.pairs):
        # The plural of PL is spelled as the Senate's PLS; the records are the Câmara's.
        one = next((name for name in (form.removesuffix("S"), form) if name in acronyms()), None)
        is_kind = tag != "PARTY" or one != form or words.forms[max(at - 2, 0) : at] == ["NUMERO", "DE"]
        if one is not None and is_kind and not words.taken[at]:
            words.taken[at], words.tags[at] = True, "FRAME"
            found.add(by_acronym()[one].acronym)
    return tuple(sorted(found))


@lru_cache(maxsize=1)
def _spelled_kinds() -> tuple[tuple[str, str], ...]:
    """(pattern in folded text, acronym) of the kinds that a name of their own tells apart."""
    return tuple(
        (pattern.upper().replace(r"[\S-]", r"[\s-]"), acronym)
        for pattern, acronym in spelled_out()
        if acronym in NAMED_KINDS
    )


def _grouped(words: Words) -> By | None:
    for by, pattern in GROUPS:
        if words.take(rf"{GROUPED} (?:{pattern})"):
            return by
    return None


def is_clear(words: Words, noun: Noun, known: bool) -> bool:
    """Whether the restrictions of a clause can only be read one way.

    Several of one kind stand in one list; none is what bills are about or for, or of whom somebody else's party is;
    nobody is meant whom the question does not name (`known`: it names somebody).
    """
    if any(_is_scattered(words, tag) for tag in ("PERSON", "PARTY", "PLACE", "OFFICE", "YEAR")):
        return False
    text = " ".join(f"#{tag}" if tag in RESTRICTING or tag == "PERSON" else form for form, tag in words.pairs)
    either = re.findall(r"#(\w+) OU (?:D[OAE] |N[OA] |EM )?#(\w+)", text)
    if any(one != other for one, other in either) or re.search(_OF_SOMEBODY, text):
        return False
    if noun in OF_BILLS and re.search(
        rf"(?<!\S)(?:{ABOUT}|PARA|PRO|PRA)(?: [OA]S?)? (?:#TOPIC (?:#TOPIC )*(?:E|OU) (?:[OA]S? )?)?"
        r"#(?:PARTY|PLACE|OFFICE|PERSON)",
        text,
    ):
        return False
    if noun == "authors" and re.search(r"#(?:PARTY|PLACE|OFFICE)", text.split("PROJETO")[0]):
        return False
    return known or noun == "candidates" or not re.search(SOMEBODY, " ".join(words.forms))


def _is_scattered(words: Words, tag: str) -> bool:
    """Whether the words of one kind do not stand in one list."""
    places = [at for at, own in enumerate(words.tags) if own == tag]
    between = range(places[0], places[-1]) if places else range(0)
    return any(words.tags[at] != tag and words.forms[at] not in LISTING for at in between)


ABOUT: Final = r"SOBRE|ACERCA D[EOA]|RELATIV[OA]S A|REFERENTES A|A RESPEITO D[EOA]|(?:QUE )?TRATAM D[EOA]"
SOMEBODY: Final = (
    r"(?<!CANDIDATOS )(?<!CANDIDATURAS )(?<!CANDIDATAS )\b(?:[OA]|D[OA]|PEL[OA]|CADA|[ND]?EST[EA]|[ND]?ESS[EA]) "
    r"(?:CANDIDAT[OA]|DEPUTAD[OA]|PARLAMENTAR|GOVERNADORA?|SENADORA?)\b"
    r"|\b(?:D?EL[EA]|SEU|SUA)S?\b"
)
_OF_SOMEBODY: Final = r"\b(?:PARTIDO|LEGENDA|BANCADA|ESTADO|CARGO) D[EOA] #PERSON|\bCONTRA #PERSON|\bJUNTOS\b"
LISTING: Final = word_set("E OU DO DA DE DOS DAS NO NA EM O A OS AS AO PELO PELA CANDIDATO CANDIDATA DEPUTADO DEPUTADA")
CANDIDACY: Final = re.compile(
    r"\b(?:CANDIDAT|CONCORR|DISPUT|LANC(?:OU|ARAM|AD)|REGISTR(?:OU|ARAM)|(?:NAO )?ELEIT|ELEG|SUPLENT|TENT|PERDE|INAPT|TURNO)"
)


def _restricted(wish: Wish, words: Words, parsed: ParsedQuery, scope: SearchFilter) -> Wish | None:
    """The wish with the UFs, parties, offices, years and standing that the words name; None where they clash."""
    of_bills = wish.noun in OF_BILLS
    standing = take_standing(words.take_free, parsed.scope.offices) if wish.noun == "candidates" else Standing()
    years = periods(words.take)
    if standing is None or years is None or (parsed.people.unknown and "PERSON" in words.tags):
        return None
    own = _of_clause(words, parsed)
    if of_bills and own.offices and "CANDIDAT" not in " ".join(words.forms):
        if set(own.offices) not in (DEPUTY, {"DEPUTADO FEDERAL"}):
            return None
        own = replace(own, offices=())  # whoever signs a bill of the Câmara is a federal deputy
    if wish.noun == "mandates" and not own.is_empty:
        return None
    elections = () if of_bills else years.listed
    merged = united(scope, replace(own, years=elections))
    if merged is None or (of_bills and years.of_elections):
        return None
    for at, form in enumerate(words.forms):
        if HEADS.fullmatch(form) and set(words.tags[at + 1 : at + 4]) & {"PARTY", "PLACE", "OFFICE"}:
            words.taken[at] = True
    if of_bills or wish.noun == "plans":
        words.take("CANDIDATOS?|DEPUTADOS?|PARLAMENTARES|BANCADAS?")
    words.take("(?:PRESIDENCIA DA )?REPUBLICA DO BRASIL|PRESIDENTE DO BRASIL")
    words.take("(?:[OA]S )?CANDIDATAS")
    words.take_tags("PERSON", "PLACE", "PARTY", "OFFICE", "NUMBER")
    for at, form in enumerate(words.forms):  # a town or a country: no column tells it
        if words.tags[at] == "PLACE" and any(form in place for place in parsed.must_hold):
            words.taken[at] = False
    numbers = parsed.numbers if wish.noun == "candidates" else ()
    return replace(wish, scope=merged, standing=standing, years=years if of_bills else Years(), numbers=numbers)


def _of_clause(words: Words, parsed: ParsedQuery) -> SearchFilter:
    """The part of the question's scope that this clause names."""
    tags = set(words.tags)
    named = parsed.scope
    return SearchFilter(
        states=named.states if "PLACE" in tags else (),
        parties=named.parties if "PARTY" in tags else (),
        offices=named.offices if "OFFICE" in tags else (),
    )


def _inherited(wish: Wish, before: Wish) -> Wish:
    """A second count about the same records as the first, where it names none of its own."""
    own, first = wish.scope, before.scope
    scope = replace(
        own,
        states=own.states or first.states,
        parties=own.parties or first.parties,
        offices=own.offices or first.offices,
        years=own.years or first.years,
    )
    return replace(wish, scope=scope)


def united(callers: SearchFilter, own: SearchFilter) -> SearchFilter | None:
    """The filter that satisfies both; None where nothing can."""
    merged = {}
    for name in ("states", "parties", "offices", "years"):
        outer, inner = getattr(callers, name), getattr(own, name)
        merged[name] = tuple(value for value in outer if value in inner) if outer and inner else outer or inner
        if outer and inner and not merged[name]:
            return None
    return replace(callers, **merged)


def counted(noun: str, count: int) -> str:
    """What is counted, as an answer says it: `proposição` for one, `proposições` otherwise."""
    return SHOWN[noun][count != 1]


# What people ask of candidates and no column of the records tells.
UNTOLD: Final = (
    ("gênero", r"MULHER(?:ES)?|HOME(?:M|NS)|FEMININ[OA]S?|MASCULIN[OA]S?|GENERO|SEXO|CANDIDATAS|DEPUTADAS|ELEITAS"),
    ("idade", r"IDADES?|JOVE(?:M|NS)|IDOS[OA]S?|ANOS DE IDADE|MAIS VELH[OA]S?|MAIS NOV[OA]S?"),
    ("bens declarados", r"PATRIMONIOS?|BENS|MILIONARI[OA]S?|RIC[OA]S?"),
    ("votos recebidos", r"VOTOS?|VOTACAO|VOTAD[OA]S?"),
    ("cor ou raça", r"NEGR[OA]S?|PARD[OA]S?|BRANC[OA]S?|INDIGENAS?|RACAS?|COR"),
    ("escolaridade", r"ESCOLARIDADE|FORMAD[OA]S?|DIPLOMA"),
    ("ocupação", r"PROFISSAO|PROFISSOES|OCUPACAO|OCUPACOES"),
)  # fmt: skip
UNTOLD_NOTICE: Final = "Os registros guardados não trazem {what}: não há o que responder sobre isso."


def untold(folded: str) -> str:
    """The sentence for a question about what no column tells; empty for others."""
    folded = re.sub(r"\b(\w+)(?:OS (?:E|OU) \1AS|AS (?:E|OU) \1OS)\b", r"\1OS", folded)  # both sexes are everybody
    what = [name for name, pattern in UNTOLD if re.search(rf"(?<!\S)(?:{pattern})(?!\S)", folded)]
    return UNTOLD_NOTICE.format(what=" nem ".join(what)) if what else ""
