"""The 27 federative units and the national constituency BR: the frozen set of partitions."""

from typing import Final

NATIONAL: Final = "BR"

UF_NAMES: Final[dict[str, str]] = {
    "AC": "Acre",
    "AL": "Alagoas",
    "AM": "Amazonas",
    "AP": "Amapá",
    "BA": "Bahia",
    "CE": "Ceará",
    "DF": "Distrito Federal",
    "ES": "Espírito Santo",
    "GO": "Goiás",
    "MA": "Maranhão",
    "MG": "Minas Gerais",
    "MS": "Mato Grosso do Sul",
    "MT": "Mato Grosso",
    "PA": "Pará",
    "PB": "Paraíba",
    "PE": "Pernambuco",
    "PI": "Piauí",
    "PR": "Paraná",
    "RJ": "Rio de Janeiro",
    "RN": "Rio Grande do Norte",
    "RO": "Rondônia",
    "RR": "Roraima",
    "RS": "Rio Grande do Sul",
    "SC": "Santa Catarina",
    "SE": "Sergipe",
    "SP": "São Paulo",
    "TO": "Tocantins",
    NATIONAL: "Brasil",
}

# As the court's pages group the UFs; the national constituency is a region of its own.
REGIONS: Final[dict[str, str]] = {
    **dict.fromkeys(("AC", "AM", "AP", "PA", "RO", "RR", "TO"), "NORTE"),
    **dict.fromkeys(("AL", "BA", "CE", "MA", "PB", "PE", "PI", "RN", "SE"), "NORDESTE"),
    **dict.fromkeys(("DF", "GO", "MS", "MT"), "CENTROOESTE"),
    **dict.fromkeys(("ES", "MG", "RJ", "SP"), "SUDESTE"),
    **dict.fromkeys(("PR", "RS", "SC"), "SUL"),
    NATIONAL: NATIONAL,
}

# Changing a partition set orphans materialisations in Dagster: this tuple is frozen.
PARTITIONS: Final[tuple[str, ...]] = tuple(UF_NAMES)

# Units that the court also writes: abroad and in transit. Rows of theirs are kept, they are no partition.
NON_PARTITION_UNITS: Final = frozenset({"ZZ", "VT"})
