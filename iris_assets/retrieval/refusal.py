"""Questions that are refused before any model call: whom to vote for, best and worst, predictions, rankings, ideology.

The rule is deterministic and its text is fixed: the electoral court's Res. 23.610/2019 forbids to rank, recommend or
favour candidates even when asked.
"""

import re

from iris_assets.retrieval.text import normalised

REFUSAL_TEXT = (
    "Não posso indicar em quem votar, dizer quem é melhor ou pior, fazer previsões ou rankings nem atribuir rótulos "
    "ideológicos a candidaturas. Posso mostrar, com citações, o que os registros oficiais dizem sobre cada "
    "candidatura: planos de governo, proposições e histórico político."
)

PERSON = (
    r"(?:CANDIDAT[OA]S?|CANDIDATURAS?|PRESIDENTES?|GOVERNADOR(?:A|ES|AS)?|DEPUTAD[OA]S?|SENADOR(?:A|ES|AS)?"
    r"|POLITIC[OA]S?|PARTIDOS?|NOMES?|OPC(?:AO|OES)|PRESIDENCIAVE(?:L|IS))\b"
)
PLANS = r"(?:PLANOS?|PROGRAMAS?|PROPOSTAS?)(?: DE GOVERNO)?\b"
MERIT = (
    r"(?:MELHOR(?:ES)?|PIOR(?:ES)?|MAIS (?:PREPARAD[OA]S?|HONEST[OA]S?|CORRUPT[OA]S?|COMPETENTES?|CAPA(?:Z|ZES)"
    r"|QUALIFICAD[OA]S?|CONFIAVE(?:L|IS)|INTELIGENTES?|RUI(?:M|NS)|INCOMPETENTES?|DESONEST[OA]S?|ETIC[OA]S?))\b"
)
IS = r"(?:EH|SAO|ERA|ERAM|FOI|SERIA|SERIAM|SERA|PODE SER|SE CONSIDERA|CONSIDERAD[OA])"
SIDE = r"(?:(?:EXTREMA|ULTRA|CENTRO) )?(?:ESQUERDA|DIREITA)\b|CENTRAO\b"
LABEL = (
    r"(?:ESQUERDISTAS?|DIREITISTAS?|COMUNISTAS?|SOCIALISTAS?|FASCISTAS?|NAZISTAS?|CONSERVADOR(?:A|ES|AS)?"
    r"|PROGRESSISTAS?|LIBERA(?:L|IS)|NEOLIBERA(?:L|IS)|POPULISTAS?|RADICA(?:L|IS)|EXTREMISTAS?|CENTRISTAS?)\b"
)
SOME = r"(?:\w+ ){0,3}?"
# A party's name holds words that are labels elsewhere.
PARTY_NAME = re.compile(
    r"\bPARTIDO (?:\w+ ){0,3}?(?:COMUNISTA|SOCIALISTA|LIBERAL|PROGRESSISTA|CONSERVADOR|RADICAL|IDEOLOGICO)\b"
)

RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "vote",
        (
            rf"EM QUEM {SOME}(?:VOT\w+|CONFI\w+)",
            r"VOT(?:AR|O|ARIA|E|EM) (?:EM QUEM|NELE|NELA)",
            rf"QUEM {SOME}MERECE {SOME}VOTO",
            rf"(?:DEVO|DEVERIA|DEVEMOS|VALE A PENA|RECOMENDA\w*|ACONSELHA\w*|SUGERE|POSSO) {SOME}VOTAR",
            r"MEU VOTO",
            rf"(?:RECOMEND|ACONSELH)\w* {SOME}{PERSON}",
            rf"(?:INDIQUE|INDICA|SUGIRA|SUGERE) (?:UM|UMA|O|A|ALGUM|QUAL) (?:BOM |BOA )?{PERSON}",
            r"QUEM (?:VOCE )?(?:ESCOLHERIA|APOIARIA|DEVO ESCOLHER|DEVO APOIAR|DEVERIA ESCOLHER)",
            rf"(?:QUAL|QUE) {PERSON} (?:EU |VOCE )?(?:DEVO|DEVERIA|ESCOLH\w+|APOIA\w*|PREFERE|RECOMENDA\w*|SUGERE)",
            r"(?:POR QUE|PORQUE) (?:EU |DEVO |DEVERIA |NAO )*VOTAR",
            r"(?:MELHOR|PIOR) VOTO",
        ),
    ),
    (
        "merit",
        (
            rf"QUEM {IS} (?:O |A |OS |AS )?{MERIT}",
            rf"QUEM TEM (?:O |A |OS |AS )?{MERIT}",
            rf"QUA(?:L|IS) (?:DELES|DELAS|DOS|DAS|DESSES|DESSAS|ENTRE)\b {SOME}(?:\w+ )?"
            rf"(?:{IS}|TEM) (?:O |A |OS |AS )?{MERIT}",
            rf"QUA(?:L|IS) (?:{IS} )?(?:O |A |OS |AS )?{MERIT}(?: (?:{PERSON}|{PLANS}|ENTRE\b|DELES\b|DOS\b|DAS\b)|$)",
            rf"{MERIT} {PERSON}",
            rf"{PERSON} {MERIT}",
            rf"{MERIT} {PLANS}",
            rf"{PERSON} (?:{IS} )(?:O |A |OS |AS )?{MERIT}",
            rf"{PLANS} (?:\w+ )?(?:{IS} )(?:O |A |OS |AS )?{MERIT}",
            rf"{IS} (?:MELHOR|PIOR) (?:DO )?QUE\b",
            rf"{IS} (?:UM |UMA )?(?:BOM|BOA|MAU|PESSIM[OA]|OTIM[OA]) {PERSON}",
        ),
    ),
    (
        "prediction",
        (
            rf"QUEM {SOME}(?:VAI|IRA|DEVE|PODE) (?:GANHAR|VENCER|SER ELEIT[OA]|PERDER|SE ELEGER)",
            r"QUEM (?:GANHARA|VENCERA|GANHA|VENCE|SERA (?:ELEIT[OA]|O PROXIMO|A PROXIMA))\b",
            r"(?:VAI|IRA|DEVE|PODE) (?:GANHAR|VENCER|PERDER) (?:(?:A|AS|O|NO|NAS|ESTA|ESSA) )?"
            r"(?:ELEIC(?:AO|OES)|PRIMEIRO TURNO|SEGUNDO TURNO|DISPUTA)",
            r"(?:CHANCES?|PROBABILIDADE|PREVIS(?:AO|OES)|FAVORIT[OA]S?|PROGNOSTICO) (?:\w+ ){0,4}?"
            r"(?:ELEIC(?:AO|OES)|ELEIT[OA]|ELEGER|VENCER|GANHAR|VITORIA|TURNO)",
            r"(?:VAI|SERA|IRA) (?:SER )?(?:ELEIT[OA]|REELEIT[OA])",
            r"QUEM EH (?:O |A )?FAVORIT[OA]",
            rf"QUEM {SOME}(?:LIDERA\w*|NA FRENTE|EM PRIMEIRO|GANHANDO|VENCENDO)\b",
            r"(?:INTENC(?:AO|OES) DE VOTO|PESQUISAS? ELEITORA(?:L|IS))\b",
            r"RESULTADO D(?:AS|A) (?:PROXIMAS? )?ELEIC(?:AO|OES) (?:SERA|VAI)",
        ),
    ),
    (
        "ranking",
        (
            rf"(?:QUEM|QUA(?:L|IS) {SOME}{PERSON}) {SOME}(?:TEM|TEVE|APRESENTOU|APRESENTARAM|FEZ|ASSINOU|PROPOS) "
            r"(?:O |A |OS |AS )?(?:MAIS|MENOS|MAIOR (?:NUMERO|QUANTIDADE) DE) "
            r"(?:PROJETOS?|PROPOSIC(?:AO|OES)|LEIS?|PROPOSTAS?|REQUERIMENTOS?|COAUTORIAS?|MANDATOS?)\b",
            # "ranking" alone may be the plan's own topic (a transparency ranking).
            rf"(?:RANKING|RANQUE)\w* {SOME}(?:{PERSON}|{PLANS})",
            rf"(?:FACA|FAZER|FAZ|FIZESSE|MONT\w+|CRI\w+|GER\w+|ELABOR\w+|QUERO|QUAL (?:EH )?O|COMO FICA O) {SOME}RANKING",
            r"RANQUEI\w+",
            rf"(?:TOP|OS|AS) \d+ {MERIT}",
            rf"CLASSIFI(?:QUE|CAR|CA) {SOME}{PERSON}",
            rf"ORDENE {SOME}{PERSON} {SOME}(?:MELHOR|PIOR|QUALIDADE|MERITO)",
            rf"(?:DE|DAR|UMA) NOTA {SOME}(?:{PERSON}|{PLANS})",
            r"NOTA DE (?:0|ZERO|1|UM) A (?:10|DEZ)",
            rf"AVALIE {SOME}(?:{PERSON}|{PLANS})",
        ),
    ),
    (
        "ideology",
        (
            rf"{IS} (?:\w+ )?(?:DE |DA |A |MAIS )*(?:{SIDE}|{LABEL})",
            rf"{PERSON} {SOME}(?:DE|A) (?:{SIDE})",
            rf"MAIS (?:A|DE|PARA A) (?:{SIDE})",
            r"(?:IDEOLOGIAS?|ESPECTRO POLITICO|ESPECTRO IDEOLOGICO|LADO POLITICO)\b",
            r"(?:ORIENTACAO|POSICAO|POSICIONAMENTO|LINHA|VIES) IDEOLOGIC[OA]",
            rf"{PERSON} (?:MAIS )?{LABEL}",
            rf"QU(?:EM|AL|AIS) {SOME}MAIS {LABEL}",
            r"(?:ESQUERDA OU (?:DE )?DIREITA|DIREITA OU (?:DE )?ESQUERDA)\b",
        ),
    ),
)
PATTERNS = tuple((name, re.compile(r"\b(?:" + "|".join(patterns) + ")")) for name, patterns in RULES)
# "Fulano vai ganhar?"; what a teacher will earn is another question.
SHORT_PREDICTION = re.compile(
    r"^(?!.*\b(?:QUANTO|QUE|COMO)\b)(?:\w+ ){1,4}(?:VAI|IRA|DEVE|PODE) (?:GANHAR|VENCER|PERDER)$"
)
SHORT_QUESTION = 6  # words: "fulano e comunista?" without the accent


def refused(question: str) -> str | None:
    """The kind of a refused question (vote, merit, prediction, ranking, ideology), None for one that is answered."""
    text = _readable(question)
    if SHORT_PREDICTION.search(text):
        return "prediction"
    return next((name for name, pattern in PATTERNS if pattern.search(text)), None)


def _readable(question: str) -> str:
    """Normalised text where the verb `é` (EH) is told from the conjunction `e`."""
    marked = re.sub(r"(?<!\w)(?:É|é|E\u0301|e\u0301)(?!\w)", " EH ", question)
    text = PARTY_NAME.sub("PARTIDO", normalised(marked))
    if len(text.split()) <= SHORT_QUESTION:
        text = re.sub(rf"\bE (?=(?:DE |DA |MAIS |O |A |UM |UMA )*(?:{SIDE}|{LABEL}|{MERIT})$)", "EH ", text)
    return text
