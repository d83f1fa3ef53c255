"""What an answer may not say, whatever its evidence: vote advice, merit, predictions and labels in our own voice."""

import re

from iris_assets.answers.normalise import fold

_ADVICE = re.compile(
    r"\bvote(?:m|mos)? (?:em|no|na|nos|nas|por|pel[oa]|contra|agora|sim|nele|nela|1|2|3|4|5|6|7|8|9)\b"
    r"|\bvot(?:ar|ando) (?:em|no|na|nele|nela|nesse|nessa|neste|nesta) (?=(?!turno|urna|plenario|transito"
    r"|separado|branco|conjunto)\w)"
    r".*\b(?:melhor|deve\w*|recomend\w*|suger\w*|aconselh\w*|certo|correto)\b"
    r"|\b(?:deve\w*|recomend\w*|suger\w*|aconselh\w*|melhor|convem|vale)\b.{0,60}\bvot(?:o|ar|e) (?:em|no|na"
    r"|nele|nela)\b"
    r"|\brecomend(?:o|amos|amos-lhe)\b(?! (?:a leitura|ler|consultar|verificar|consulta))"
    r"|\brecomend\w* (?:-se )?(?:[oa]s? )?(?:voto|votar|candidat)|\bcandidat[oa]s? (?:mais )?recomenda"
    r"|\bde (?:o )?seu voto\b"
    r"|\b(?:meu|nosso|seu|o seu) voto (?:e|vai|deve|deveria|para)\b"
    r"|\b(?:escolha|eleja|elejam|apoie|apoiem|prefira)(?: [oa])? (?:candidat|numero \d|deputad|governador|president)"
    r"|\bmerece(?:m|ria)? (?:o seu|seu|o|todo) (?:voto|apoio)\b"
    r"|\bvoto util\b"
)
_MERIT = re.compile(
    r"\b(?:melhor|pior|mais preparad[oa]|mais qualificad[oa]|mais competente|mais honest[oa]|mais indicad[oa]"
    r"|menos preparad[oa])"
    r" (?:candidat|opcao|escolha|nome|plano de governo|proposta de governo|para governar|para o cargo"
    r"|para a presidencia|dos candidatos|das candidatas|entre os)"
    r"|\be (?:[oa] )?(?:melhor|pior)(?: candidat[oa])? (?:do )?que\b"
    r"|\b(?:superior|inferior)(?:es)? (?:ao|aos|a|as) (?:[oa]s? )?(?:de |do |da )?(?:plano|proposta|candidat"
    r"|programa|adversari|rival)"
    r"|\bcandidat[oa] (?:mais|menos) (?:preparad|qualificad|competente|honest|indicad)"
)
_PREDICTION = re.compile(
    r"\b(?:vai|deve|ira) (?:vencer\b|ser (?:re)?eleit[oa]|(?:ganhar|perder) (?:a|as|o|nas) (?:elei|pleito"
    r"|disputa|primeiro turno|segundo turno))|\bvencera (?:a|as|o) (?:elei|pleito|disputa)"
    r"|\be (?:[oa] )?favorit[oa]\b|\bsera eleit[oa]\b"
)
_LABEL = re.compile(
    r"\b(?:e|seria|considerad[oa]|candidat[oa]|politic[oa]) (?:um |uma )?(?:de "
    r"|da )?(?:extrema[- ])?(?:esquerda|direita|esquerdista|direitista|"
    r"populista|comunista|fascista|socialista|conservador[a]?|progressista)\b"
)
_RULES = (
    ("VOTE_ADVICE", _ADVICE),
    ("MERIT_COMPARISON", _MERIT),
    ("PREDICTION", _PREDICTION),
    ("IDEOLOGY_LABEL", _LABEL),
)


def breach(sentence: str) -> tuple[str, str] | None:
    """(rule, words) of the first breach in our own voice; quotations are blanked, they are checked as quotations."""
    own = fold(re.sub(r"“[^”]*”|«[^»]*»|\"[^\"]*\"", " ", sentence))
    own = " ".join(own.replace("*", "").replace("_", " ").split())
    for rule, pattern in _RULES:
        if found := pattern.search(own):
            return rule, found[0].strip()
    return None
