"""What a question is about, once names, references and the words of asking are taken away."""

import re
from collections.abc import Collection

from iris_assets.indexing.analyzer import fold
from iris_assets.retrieval.text import word_set

# Words of asking: they say that something is proposed, not what. Folded; whole words.
ASKING = word_set(
    """
    propoe propoem propos proporia proposto proposta propostas promete prometem prometeu preve preveem previsto prevista
    defende defendem defendeu pretende pretendem sugere sugerem planeja planejam quer querem apresenta apresentam
    apresentou apresentaram apresentado apresentada apresentados apresentadas aborda abordam trata tratam tratar fala
    falam diz dizem disse menciona mencionam cita citam citado consta constam existe existem tem ha faz fazer feito
    plano planos programa programas diretriz diretrizes candidato candidata candidatos candidatas candidatura
    candidaturas presidenciavel presidenciaveis projeto projetos proposicao proposicoes ementa ementas autoria autor
    autora autores coautor coautores coautoria resumo resumos resuma resumir resume sintese panorama geral visao
    historico mandato mandatos carreira trajetoria quantos quantas quantidade numero total principais principal temas
    tema assuntos assunto topicos topico frequentes frequente recorrentes recorrente cada todos todas qual quais quem
    algo alguma algum respeito acerca relacao relacionados relacionadas relacionado relacionada referentes referente compare comparar
    comparacao mostre liste listar cite descreva explique conte me mim voce agora tambem favor pagina paginas noticia
    noticias imprensa deputado deputada deputados deputadas texto documento documentos oficial oficiais diga dizer
    informe informar registrado registrada registrados ideia ideias medida medidas acoes acao
    """
)
PHRASES = re.compile(
    r"\b(?:planos?|programas?|propostas?|diretrizes) de governo\b|\bprojetos? de lei(?: complementar)?\b"
    r"|\bcamara dos deputados\b|\bproposta de emenda a constituicao\b|\bo que (?:e|foi)\b|\bem relacao a\b"
    r"|\bhistorico politico\b|\bvida publica\b|\bpor favor\b"
)


def topic_of(rest: str, used: Collection[str] = ()) -> str:
    """The topic in a question (folded, references already taken out); `used` are words of recognised names."""
    names = {word.casefold() for word in used}
    text = PHRASES.sub(" ", fold(rest))
    words = re.findall(r"[\w$]+(?:[-./,'][\w]+)*", text)
    kept = [word for word in words if word not in ASKING and word.strip(".,") not in names]
    return " ".join(kept)
