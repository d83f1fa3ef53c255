"""What a question is about, once names, references, its scope and the words of asking are taken away."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from iris_assets.indexing.analyzer import fold
from iris_assets.retrieval.scope_words import Scoped, take_scope_phrases
from iris_assets.retrieval.text import word_set
from iris_assets.retrieval.unread import TAKEN, Unread

# Words of asking: they say that something is proposed, not what. Normalised; whole words.
ASKING = word_set(
    """
    PROPOE PROPOEM PROPOS PROPUSERAM PROPORIA PROPOSTO PROPOSTA PROPOSTAS PROMETE PROMETEM PROMETEU PROMETERAM PROMESSA
    PROMESSAS PREVE PREVEEM PREVISTO PREVISTA DEFENDE DEFENDEM DEFENDEU DEFENDERAM PRETENDE PRETENDEM SUGERE SUGEREM
    PLANEJA PLANEJAM QUER QUEREM APRESENTA APRESENTAM APRESENTOU APRESENTARAM APRESENTADO APRESENTADA APRESENTADOS
    APRESENTADAS ABORDA ABORDAM TRATA TRATAM TRATAR FALA FALAM FALOU DIZ DIZEM DISSE DISSERAM MENCIONA MENCIONAM CITA
    CITAM CITADO CONSTA CONSTAM EXISTE EXISTEM TEM HA FAZ FAZER FEITO PLANO PLANOS PROGRAMA PROGRAMAS DIRETRIZ
    DIRETRIZES CANDIDATO CANDIDATA CANDIDATOS CANDIDATAS CANDIDATURA CANDIDATURAS PRESIDENCIAVEL PRESIDENCIAVEIS
    POSTULANTE POSTULANTES PROJETO PROJETOS PROPOSICAO PROPOSICOES EMENTA EMENTAS AUTORIA AUTOR AUTORA AUTORES COAUTOR
    COAUTORES COAUTORIA RESUMO RESUMOS RESUMA RESUMIR RESUME SINTESE PANORAMA GERAL VISAO HISTORICO MANDATO MANDATOS
    CARREIRA TRAJETORIA QUANTOS QUANTAS QUANTIDADE NUMERO TOTAL PRINCIPAIS PRINCIPAL TEMAS TEMA ASSUNTOS ASSUNTO
    TOPICOS TOPICO FREQUENTES FREQUENTE RECORRENTES RECORRENTE CADA TODOS TODAS QUAL QUAIS QUEM ALGO ALGUMA ALGUM
    RESPEITO ACERCA RELACAO RELACIONADOS RELACIONADAS RELACIONADO RELACIONADA REFERENTES REFERENTE COMPARE COMPARAR
    COMPARA COMPARACAO DIFERENCA DIFERENCAS SEMELHANCA SEMELHANCAS MOSTRE LISTE LISTAR CITE DESCREVA EXPLIQUE CONTE ME
    MIM VOCE AGORA TAMBEM FAVOR PAGINA PAGINAS NOTICIA NOTICIAS IMPRENSA DEPUTADO DEPUTADA DEPUTADOS DEPUTADAS TEXTO
    DOCUMENTO DOCUMENTOS OFICIAL OFICIAIS DIGA DIZER INFORME INFORMAR REGISTRADO REGISTRADA REGISTRADOS IDEIA IDEIAS
    MEDIDA MEDIDAS ACOES ACAO VERSUS VS LEIS PENSA PENSAM ACHA ACHAM OPINIAO OPINIOES POSICIONAMENTO POSICIONAMENTOS
    PRA PRAS OQ
    """
)
LAW_ALONE = word_set("LEI A O DA DE DO DAS DOS")
PHRASES = (
    r"(?:PLANOS?|PROGRAMAS?|PROPOSTAS?|DIRETRIZES) DE GOVERNO",
    r"PROJETOS? DE LEI(?: COMPLEMENTAR)?",
    r"CAMARA DOS DEPUTADOS",
    r"PROPOSTA DE EMENDA A CONSTITUICAO",
    r"O QUE (?:E|FOI)",
    r"(?:QUAIS|QUEM|QUE|COMO) SAO",
    r"O Q",
    r"POSIC(?:AO|OES)(?= (?:#|D[AEO]S?|SOBRE|QUANTO))",
    r"(?:N|PARA )[AO] (?:AREA|QUESTAO|SETOR|CAMPO) D[AEO]S?",
    r"(?:PROPOEM?|PROMETEM?|DEFENDEM?|DIZEM?|DIZ|PLANEJAM?|QUER|QUEREM|PROPOSTAS?) (?P<it>PR[AO]S?)",
    r"(?:EM RELACAO|QUANTO) A?O?S?",
    r"NO QUE (?:DIZ RESPEITO|TOCA|TANGE) A?O?S?",
    r"HISTORICO POLITICO",
    r"VIDA PUBLICA",
    r"POR FAVOR",
)
KEPT_SIGNS = re.compile(r"[^$%]+")


@dataclass(frozen=True, slots=True)
class Topic:
    """`text`: what is asked about; `scope`: the question's words on whose records are meant."""

    text: str
    scope: str = ""


def topic_of(rest: str, names: Sequence[Sequence[str]] = (), scoped: Scoped | None = None) -> Topic:
    """The topic in a question without its references (folded).

    `names`: the recognised names as the question spells them, normalised; without `scoped` no scope is read.
    """
    unread = Unread(fold(rest))
    scope = take_scope_phrases(unread, names, scoped)
    for phrase in PHRASES:
        unread.take(phrase)
    unread.take_words(ASKING)
    if set(unread.left) <= LAW_ALONE:  # "lei da Ana" asks for her bills; of a law with a name the word stays
        unread.take_words(LAW_ALONE)
    return Topic(_untaken(unread), scope)


def _untaken(unread: Unread) -> str:
    """The words that nobody took; those written as one (`covid-19`, `1.500,00`) stay so."""
    text, before = "", -1
    for place in range(len(unread)):
        if unread.form(place) != TAKEN:
            gap = unread.gaps[place]
            glued = place == before + 1 and not re.search(r"\s", gap)
            text += (gap if glued else KEPT_SIGNS.sub(" ", gap) or " ") + unread.raw[place]
            before = place
    return text.strip()
