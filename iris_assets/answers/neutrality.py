"""What an answer may not say, whatever its evidence: vote advice, merit, predictions and labels in our own voice."""

import re

from iris_assets.words.comparable import fold

# Patterns see accent-free lower case with `é` written "eh" (it is no "e") and each candidate's name as "candidatura".
_WHO = r"(?:(?:[oa]s? )?(?:candidat|deputad|governador|president|senador|numero \d))"
_PROGRAMME = r"(?:plano|proposta|programa|projeto|candidat|gestao|historico|opcao|escolha|nome)"
_PRAISE = (
    r"(?:excelente|otim[oa]|pessim[oa]|ruim|ruins|frac[oa]|generic[oa]|vag[oa]|superficia|irrealista|inviave|brilhante"
    r"|admirave|mediocre|impecave|inovador|corajos[oa]|promissor|impressionante|populista|confiave|bo[am]\b|boas\b|bons\b|mau\b|maus\b|ma\b|mas\b)"
)
_CHARACTER = (
    r"(?:competent|incompetent|honest|desonest|corrupt|mentiros|preparad|despreparad|capaz|incapaz|autoritari|etic[oa]"
    r"|experiente|inexperiente|carismatic|ladra)"
)
_DEGREE = (
    r"(?:preparad|qualificad|competent|honest|indicad|experient|complet|detalhad|ambicios|consistent|solid|realist|viave"
    r"|robust|abrangent|concret|clar[oa]|serio|seria|confiave|capacitad|coerent|recomendad|adequad|convincent|comprometid|bem)"
)
_LABEL_WORD = (
    r"(?:centro[- ]?|extrema[- ]|ultra[- ]?)?(?:esquerda|direita|esquerdista|direitista|populista|comunista|fascista"
    r"|socialista|conservador[a]?|progressista|liberal|neoliberal|reacionari[oa]|radical|bolsonarista|lulista|centrista)"
)

_ADVICE = re.compile(
    r"\bvote(?:m|mos)? (?:em|no|na|nos|nas|por|pel[oa]|contra|agora|sim|nele|nela|1|2|3|4|5|6|7|8|9)\b"
    r"|\bvot(?:ar|ando) (?:em|no|na|nele|nela|nesse|nessa|neste|nesta) (?=(?!turno|urna|plenario|transito"
    r"|separado|branco|conjunto)\w)"
    r".*\b(?:melhor|deve\w*|recomend\w*|suger\w*|aconselh\w*|certo|correto)\b"
    r"|\b(?:deve\w*|recomend\w*|suger\w*|sugir\w*|aconselh\w*|melhor|convem|vale|considere\w*|pense\w* em)\b"
    r".{0,60}\bvot(?:o|ar|e) (?:em|no|na|nele|nela)\b"
    r"|\brecomend(?:o|amos|amos-lhe)\b(?! (?:a leitura|ler|consultar|verificar|consulta))"
    r"|\brecomend\w* (?:-se )?(?:[oa]s? )?(?:voto|votar|candidat)|\bcandidat[oa]s? (?:mais )?recomendad"
    r"|\b(?:minha|nossa) (?:recomendacao|sugestao|indicacao|escolha)\b"
    r"|\bde (?:o )?seu voto\b"
    r"|\b(?:meu|nosso|seu|o seu) voto (?:eh|vai|deve|deveria|para)\b"
    rf"|\b(?:escolh[ae]|elejam?|apoi[ae]m?|prefiram?|evitem?|rejeitem?|descartem?) {_WHO}"
    rf"|\b(?:voce|eleitor\w*|cidada\w*) (?:deve|deveria|precisa|poderia|tem de|tem que) \w+ {_WHO}"
    r"|\bmerece(?:m|ria)? (?:o seu|seu|o|todo) (?:voto|apoio)\b"
    r"|\bmerece(?:m|ria)? (?:ser (?:re)?eleit|vencer|ganhar|governar)|\b(?:a|uma) (?:escolha|opcao) (?:certa|ideal|segura|correta)\b"
    r"|\bprefiram? [oa]s? (?:plano|proposta|programa|nome)|\bvota(?:m|ra|ria|riam)? (?:em|n[oa]) candidatura"
    r"|\bvoto util\b|\bnao vote\b|\bvote for\b|\b(?:i|we) recommend|\brecommend candidatura"
)
_MERIT = re.compile(
    r"\b(?:melhor|pior|mais preparad[oa]|mais qualificad[oa]|mais competente|mais honest[oa]|mais indicad[oa]"
    r"|menos preparad[oa])"
    r" (?:candidat|opcao|escolha|nome|plano de governo|proposta de governo|para governar|para o cargo"
    r"|para a presidencia|dos candidatos|das candidatas|entre os)"
    r"|\beh (?:[oa] )?(?:melhor|pior)(?: candidat[oa])? (?:do )?que\b"
    rf"|\b(?:tem|possui|apresenta|traz|oferece|[oa] ) ?(?:[oa]s? )?(?:melhor|pior)(?:es)? {_PROGRAMME}\w* "
    r"(?:de governo|eh|sao|para|entre|sobre|d[oae]s?\b)"
    r"|\bcandidatura (?:eh|sera|seria|foi) (?:[oa] )?(?:melhor|pior|maior)\b"
    r"|\b(?:superior|inferior)(?:es)? (?:ao|aos|a|as) (?:[oa]s? )?(?:de |do |da )?(?:plano|proposta|candidat"
    r"|programa|adversari|rival)"
    rf"|\b(?:{_PROGRAMME}\w*|candidatura|adversari\w*) (?:de (?:governo|candidatura) )*(?:(?:eh|sao|parece\w*) )?(?:[oa]s? )?"
    rf"(?:muito |bem |bastante )?(?:mais|menos) {_DEGREE}"
    rf"|\beh (?:[oa] )(?:mais|menos) {_DEGREE}\w*(?: (?:entre|d[oae]s?)\b| ?[.,;]? ?(?:\[|$))"
    rf"|\b{_PROGRAMME}\w* (?:de (?:governo|candidatura) ){{0,2}}(?:\w+ )?(?:eh|sao|parece\w*|era) "
    rf"(?:um |uma )?(?:muito |bem |bastante |pouco |plano )?{_PRAISE}"
    rf"|\bcandidatura (?:eh|parece|seria) (?:um |uma )?(?:muito |bem |bastante )?(?:\w+ )?(?:{_PRAISE}|{_CHARACTER})"
    r"|\b(?:supera|vence|bate|ultrapassa|ganha d[eao]|perde para|leva vantagem sobre|sobressai-se a|se sobressai a)"
    r" (?:[oa]s? )?(?:candidat|adversari|rival|rivais|concorrent|demais|outr[oa]s? candidat|plano d|proposta d|programa d)"
    r"|\bcandidatura (?:se sai|saiu-se|sai-se) melhor\b|\bcandidatura (?:se )?destaca-?(?:se)? como (?:[oa]) "
    r"|\b(?:em|no) (?:primeiro|segundo|terceiro|ultimo|1o|2o|3o|1º|2º|3º) lugar,? (?:fica|esta|vem|aparece|temos)\b"
    r"|\bcandidatura (?:fica|esta|vem|aparece) (?:atras|abaixo|aquem|a frente|acima) d|\bdeixa a desejar\b"
    r"|\b(?:mais|menos|pouco|melhor|pior) \w+ (?:\w+ ){0,6}?(?:(?:do )?que|em comparacao com) (?:[oa]s? )?"
    r"(?:(?:plano|proposta|programa)s? )?(?:d[eao] )?candidatura"
    r"|[★☆⭐]|(?:^|\W)\d{1,2}[ºo°] lugar ?[:\-] ?|\b(?:o|um|nosso|meu) ranking (?:eh|fica|d[eoa]s? candidat)|\branking de candidat"
    r"|\bnota \d+(?:,\d)? (?:para|a) candidatura"
)
_PREDICTION = re.compile(
    r"\b(?:vai|deve|devera|ira) (?:vencer\b|ser (?:re)?eleit[oa]|(?:ganhar|perder) (?:a|as|o|nas) (?:elei|pleito"
    r"|disputa|primeiro turno|segundo turno))|\bvencera (?:a|as|o) (?:elei|pleito|disputa)"
    r"|\beh (?:[oa] )?favorit[oa]\b|(?<!que )\bsera (?:re)?eleit[oa]\b|\blidera\w* (?:as|nas|a) (?:pesquisa|intencoes|disputa|corrida)"
    r"|\b(?:mais|menos|boas|maiores|poucas|grandes) chances? de (?:vencer|ganhar|ser eleit|se eleger|vitoria)"
    r"|\bcandidatura (?:vencera|ganhara)\b(?! [oa]s? )|\bcandidatura (?:esta|segue|aparece) (?:na|a) (?:frente|lideranca"
    r"|dianteira)"
    r"|\bprovavelmente (?:vencera|ganhara|sera eleit)|\b(?:vitoria|derrota) (?:de candidatura )?(?:eh|parece) (?:certa|provavel)"
)
_LABEL = re.compile(
    r"\b(?:eh|seria|considerad[oa]|candidat[oa]|candidatura|politic[oa]) (?:um |uma )?(?:politic[oa] |candidat[oa] )?"
    rf"(?:de |da )?{_LABEL_WORD}\b"
    rf"|\bcandidatura,? (?:que eh )?(?:de |da )?{_LABEL_WORD}\b|\b[oa] {_LABEL_WORD} candidatura\b"
    r"|\b(?:plano|proposta|programa|postura|perfil|discurso|agenda|ideologia|vies|linha|posicionamento|pensamento|visao"
    rf"|orientacao|alinhad[oa]) (?:de governo )?(?:politic[oa] |ideologic[oa] |muito |mais |claramente )*(?:de |da |a )?{_LABEL_WORD}\b"
)
OF_SOURCES = frozenset({"IDEOLOGY_LABEL"})  # whose words may be told as a source has them
_RULES = (
    ("VOTE_ADVICE", _ADVICE),
    ("MERIT_COMPARISON", _MERIT),
    ("PREDICTION", _PREDICTION),
    ("IDEOLOGY_LABEL", _LABEL),
)


def breach(sentence: str) -> tuple[str, str] | None:
    """(rule, words) of the first breach in our own voice; quotations are blanked, they are checked as quotations.

    Names of candidates are expected as the word `Candidatura` (`Register.masked`).
    """
    unquoted = re.sub(r"“[^”]{0,2000}”|«[^»]{0,2000}»|\"[^\"]*\"", " ", sentence)
    own = fold(re.sub(r"\b[ée]́?\b", lambda m: "eh" if m[0] != "e" else "e", unquoted.lower()))
    own = " ".join(own.replace("*", "").replace("_", " ").split())
    for rule, pattern in _RULES:
        if found := pattern.search(own):
            return rule, found[0].strip()
    return None
