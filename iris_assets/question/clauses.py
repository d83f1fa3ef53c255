"""The words of a clause, taken by the patterns that understand them; what nobody takes and nobody uses to ask is left."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from iris_assets.indexing.analyzer import analyze
from iris_assets.words.text import word_set

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

STEMMED: Final = 5

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
        """Take every word that has one of the tags."""
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
