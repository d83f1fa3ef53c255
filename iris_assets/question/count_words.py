"""The words of a "how many" question: what is counted, kinds of bills, results, and words that restrict nothing."""

import re
from typing import Final

from iris_assets.question.bill_types import BILL_TYPES
from iris_assets.retrieval.text import word_set

ACRONYM: Final = "|".join(sorted((name for name in BILL_TYPES if name.isalpha()), key=lambda name: (-len(name), name)))
SHOWN: Final = {
    "bills": ("proposição", "proposições"),
    "authors": ("autor", "autores"),
    "candidates": ("candidatura", "candidaturas"),
    "plans": ("plano de governo", "planos de governo"),
    "mandates": ("registro de mandato", "registros de mandato"),
    "topics": ("tema", "temas"),
}
# Kinds of bills as nouns; longer phrases first.
TYPE_PHRASES: Final = (
    (r"PROJETOS? DE LEI COMPLEMENTAR", "PLP"),
    (r"PROJETOS? DE DECRETOS? LEGISLATIVOS?", "PDL"),
    (r"PROJETOS? DE RESOLUC(?:AO|OES)", "PRC"),
    (r"PROJETOS? DE LEI(?: ORDINARIA)?", "PL"),
    (r"PROPOSTAS? DE EMENDAS? (?:A CONSTITUICAO|CONSTITUCIONA(?:L|IS))", "PEC"),
    (r"MEDIDAS? PROVISORIAS?", "MPV"),
    (r"REQUERIMENTOS? DE INFORMAC(?:AO|OES)", "RIC"),
    (r"REQUERIMENTOS?", "REQ"),
    (r"INDICAC(?:AO|OES)", "INC"),
)
BILL_NOUNS: Final = (
    r"ATUACAO (?:LEGISLATIVA|PARLAMENTAR)|PROJETOS?|PROPOSIC(?:AO|OES)(?: LEGISLATIVAS?)?|MATERIAS? LEGISLATIVAS?"
)
BESIDE: Final = "(?:E|OU|DE|DOS|DAS|AOS|AS|SOBRE|PARA)(?: OS| AS)?"  # between a kind of bills and all of them
OF_BILLS: Final = frozenset({"bills", "authors", "topics"})  # nouns that are counted over bills
COUNTED_NOUNS: Final = {
    "bills": BILL_NOUNS,
    "authors": "AUTORES|SIGNATARIOS",
    "candidates": r"CANDIDATOS?|CANDIDATURAS?|CANDIDATARAM",
    "plans": r"(?:PLANOS?|PROGRAMAS?|PROPOSTAS?) DE GOVERNO|PLANOS?",
    "mandates": r"(?:REGISTROS? DE )?MANDATOS?",
    "topics": (
        r"(?:TEMAS?|ASSUNTOS?|TOPICOS?)(?: DIFERENTES)?|PRINCIPA(?:L|IS)|RECORRENTES?|FREQUENTES?|COMUNS"
        r"|MAIS (?:FREQUENTES?|COMUNS|RECORRENTES?|ABORDADOS|TRATADOS)|FREQUENCIA|ABORDADOS|TRATADOS"
    ),
}
# Who signs bills or files plans, said in the plural: everybody in scope.
OWNERS: Final = {"plans": "CANDIDATOS"} | dict.fromkeys(OF_BILLS, "CANDIDATOS|PARLAMENTARES|BANCADAS?")
# The same in the singular: somebody the question does not name, unless a candidate is known.
PERSON: Final = r"CANDIDAT[OA]|DEPUTAD[OA]|PARLAMENTAR|GOVERNADORA?|SENADORA?|PRESIDENT[EA]"
SOMEBODY: Final = (
    rf"(?<!CANDIDATOS )(?<!CANDIDATURAS )\b(?:O|A|DO|DA|PEL[OA]|CADA|POR|[ND]?EST[EA]|[ND]?ESS[EA]) (?:{PERSON})\b"
)
OWNER: Final = r"[ND]?EST[EA]|[ND]?ESS[EA]|CANDIDAT[OA]|PARLAMENTAR|D?EL[EA]S?|SEUS?|SUAS?"
TITLE: Final = (
    r"(?:EX )?(?:CANDIDAT[OA]|DEPUTAD[OA](?: FEDERAL| ESTADUAL| DISTRITAL)?|GOVERNADORA?|SENADORA?|PRESIDENT[EA]"
    r"|PARLAMENTAR|VEREADORA?|PREFEIT[OA]|DEPUTAD[OA]S(?: FEDERAIS)?|CANDIDATOS|SENADORES|GOVERNADORES)"
)
VERBS: Final = {
    "bills": word_set(
        """APRESENTOU APRESENTARAM APRESENTADO APRESENTADOS APRESENTADA APRESENTADAS ASSINOU ASSINARAM ASSINADO
        ASSINADOS ASSINADA ASSINADAS ASSINA ASSINAM PROPOS PROPUSERAM PROPOSTOS PROTOCOLOU PROTOCOLARAM PROTOCOLADOS
        PROTOCOLADAS AUTORIA FEZ FIZERAM CAMARA DEPUTADOS"""
    ),
    "candidates": word_set(
        """CONCORREM CONCORRERAM CONCORRE CONCORRIAM CONCORRENDO DISPUTAM DISPUTARAM DISPUTA DISPUTAVAM REGISTROU
        REGISTRARAM LANCOU LANCARAM LANCADOS LANCADAS PARTICIPARAM PARTICIPAM PASSARAM
        CHEGARAM TEVE"""
    ),
    "plans": word_set(
        """APRESENTOU APRESENTARAM APRESENTADOS REGISTROU REGISTRARAM PROTOCOLADOS ENTREGARAM ENTREGUES DISPUTA
        CONCORREM CONCORRERAM DISPUTAM"""
    ),
    "mandates": word_set("EXERCEU EXERCERAM EXERCE CUMPRIU OCUPOU CAMARA DEPUTADOS"),
}
VERBS["authors"] = VERBS["bills"]
VERBS["topics"] = VERBS["bills"] | word_set("APARECE APARECEM TRATA TRATAM")
# These say that the question is about candidates even where it counts "deputados" or "governadores".
CANDIDACY: Final = re.compile(r"CANDIDAT|CONCORR|DISPUT|LANC(?:OU|ARAM|AD)|REGISTR(?:OU|ARAM)|ELEIT|ELEGE|SUPLENT")
GRAMMAR: Final = word_set(
    """A O AS OS E EH DE DA DO DAS DOS EM NO NA NOS NAS AO AOS PELO PELA PELOS PELAS POR PARA QUE SE SAO FOI FORAM ESTA
    ESTAO HA HAVIA HOUVE EXISTE EXISTEM EXISTIAM ERA ERAM TEM TEVE TINHA TIVERAM TINHAM POSSUI POSSUEM QUAL QUAIS JA
    ELEICAO ELEICOES GERAL GERAIS REGISTRO REGISTROS REGISTRADO REGISTRADOS REGISTRADA REGISTRADAS INDEXADO INDEXADOS
    INDEXADA INDEXADAS CADASTRADO CADASTRADOS CADASTRADA CADASTRADAS BASE BANCO DADOS INDICE SISTEMA ACERVO
    DIFERENTES DISTINTOS DISTINTAS FAVOR DIGA ME LISTE MOSTRE SABER QUERO GOSTARIA VOCE SABE PODE DIZER ENTAO"""
)
# What candidates say is in their plans: passages are near to such a question, and to no other one that counts them.
SAYING: Final = re.compile(
    r"\b(?:PROPO|PROMET|DEFEND|FAL(?:A|OU|AR)|MENCION|TRATA|CITA|PREVE|DIZ|DISS|APOI|QUER|PRETEND|CRITIC|ABORD)"
)
ABOUT: Final = (
    r"SOBRE|ACERCA D[EOA]S?|RELATIV[OA]S A[OS]*|RELACIONAD[OA]S (?:A[OS]*|COM)|REFERENTES A[OS]*|A RESPEITO D[EOA]S?"
    r"|(?:QUE )?TRATAM D[EOA]S?|(?:D[OEA]|N[OA]|COM O|COMO) (?:TEMA|AREA|ASSUNTO)(?: D[EOA]S?)?"
)
# Women alone: the records in the store do not say who is one.
WOMEN: Final = re.compile(r"\b(?:CANDIDATAS|DEPUTADAS|GOVERNADORAS|SENADORAS|PRESIDENTAS|AUTORAS|COAUTORAS|ELEITAS)\b")


def counted(noun: str, count: int) -> str:
    """What is counted, as an answer says it: `proposição` for one, `proposições` otherwise."""
    return SHOWN[noun][count != 1]


def both_sexes(question: str) -> str:
    """`candidatos e candidatas`, `deputadas e deputados` → the one noun for both."""
    return re.sub(r"\b(\w+?)(?:os (?:e|ou) \1as|as (?:e|ou) \1os)\b", r"\1os", question, flags=re.IGNORECASE)
