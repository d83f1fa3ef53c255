"""What people ask of candidates and no column of the records tells."""

import re
from typing import Final

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
