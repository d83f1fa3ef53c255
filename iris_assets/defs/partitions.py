"""The partitions: UF × election for what comes from the sources, UF alone for news and evaluations."""

from typing import Final

import dagster as dg

from iris_assets.settings import load_settings
from iris_assets.ufs import PARTITIONS

UF: Final = "uf"
YEAR: Final = "year"
SEPARATOR: Final = "|"  # Dagster's, between the dimensions in the order of their names

UF_PARTITIONS: Final = dg.StaticPartitionsDefinition(list(PARTITIONS))
ELECTION_PARTITIONS: Final = dg.MultiPartitionsDefinition(
    {UF: UF_PARTITIONS, YEAR: dg.StaticPartitionsDefinition([str(year) for year in load_settings().election_years])}
)


def key_of(uf: str, election_year: int) -> dg.MultiPartitionKey:
    """`AC|2022`."""
    return dg.MultiPartitionKey({UF: uf, YEAR: str(election_year)})


def uf_of(key: str) -> str:
    """The UF of `AC|2022`, and of `AC`, as partitions without an election and those of older homes are called."""
    return key.partition(SEPARATOR)[0]


def year_of(key: str) -> int | None:
    """The election of `AC|2022`; None for a UF alone."""
    year = key.partition(SEPARATOR)[2]
    return int(year) if year else None


def keys_between(first: str, last: str) -> list[str]:
    """The partitions of a run over a range; none where an end is no partition any more."""
    definition: dg.PartitionsDefinition = ELECTION_PARTITIONS if SEPARATOR in first else UF_PARTITIONS
    if not (definition.has_partition_key(first) and definition.has_partition_key(last)):
        return []
    return list(definition.get_partition_keys_in_range(dg.PartitionKeyRange(first, last)))
