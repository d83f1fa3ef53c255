"""The header generations of the candidates file, as the court published them from 2014 to 2026; rows are made up."""

from collections.abc import Sequence

from iris_assets.sample.tse_files import BARE, COLUMNS

_IDENTITY = (
    *COLUMNS[: COLUMNS.index("NR_CPF_CANDIDATO") + 1],
    "NM_EMAIL",
    "CD_SITUACAO_CANDIDATURA",
    "DS_SITUACAO_CANDIDATURA",
    "CD_DETALHE_SITUACAO_CAND",
    "DS_DETALHE_SITUACAO_CAND",
    "TP_AGREMIACAO",
    "NR_PARTIDO",
    "SG_PARTIDO",
    "NM_PARTIDO",
)
_COALITION = ("SQ_COLIGACAO", "NM_COLIGACAO", "DS_COMPOSICAO_COLIGACAO")
_FEDERATION = ("NR_FEDERACAO", "NM_FEDERACAO", "SG_FEDERACAO", "DS_COMPOSICAO_FEDERACAO")
_PERSON = (
    "CD_NACIONALIDADE",
    "DS_NACIONALIDADE",
    "SG_UF_NASCIMENTO",
    "CD_MUNICIPIO_NASCIMENTO",
    "NM_MUNICIPIO_NASCIMENTO",
    "DT_NASCIMENTO",
    "NR_IDADE_DATA_POSSE",
    "NR_TITULO_ELEITORAL_CANDIDATO",
    *COLUMNS[COLUMNS.index("CD_GENERO") : COLUMNS.index("DS_OCUPACAO") + 1],
)
_RESULT = (
    "CD_SIT_TOT_TURNO",
    "DS_SIT_TOT_TURNO",
    "ST_REELEICAO",
    "ST_DECLARAR_BENS",
    "NR_PROTOCOLO_CANDIDATURA",
    "NR_PROCESSO",
)
_POLL = (
    "CD_SITUACAO_CANDIDATO_PLEITO",
    "DS_SITUACAO_CANDIDATO_PLEITO",
    "CD_SITUACAO_CANDIDATO_URNA",
    "DS_SITUACAO_CANDIDATO_URNA",
    "ST_CANDIDATO_INSERIDO_URNA",
)
_LAST = ("NM_TIPO_DESTINACAO_VOTOS", "CD_SITUACAO_CANDIDATO_TOT", "DS_SITUACAO_CANDIDATO_TOT", "ST_PREST_CONTAS")

GENERATIONS: dict[int, Sequence[str]] = {
    50: COLUMNS,
    58: (*_IDENTITY, *_COALITION, *_PERSON, "NR_DESPESA_MAX_CAMPANHA", *_RESULT),
    63: (*_IDENTITY, *_COALITION, *_PERSON, "NR_DESPESA_MAX_CAMPANHA", *_RESULT, *_POLL),
    71: (*_IDENTITY, *_FEDERATION, *_COALITION, *_PERSON, "VR_DESPESA_MAX_CAMPANHA", *_RESULT, *_POLL, *_LAST),
}
# (year, columns): 2022 was published with 71 columns and regenerated with 50, and so on.
PUBLISHED = (
    (2014, 58), (2014, 63), (2016, 63), (2018, 58), (2018, 63), (2020, 63),
    (2022, 71), (2022, 50), (2024, 50), (2026, 50),
)  # fmt: skip
ALL_QUOTED = frozenset({58, 63, 71})


def row(width: int, values: dict[str, str], sentinel: str) -> str:
    """A line of a generation: the columns that `values` does not name hold the sentinel."""
    return ";".join(
        value if width not in ALL_QUOTED and name in BARE else '"' + value.replace('"', '""') + '"'
        for name in GENERATIONS[width]
        for value in [values.get(name, sentinel)]
    )
