"""More candidates with topics than an answer shows: the notice says how many there are."""

from iris_assets_tests.retrieval.world import World


def test_the_groups_that_are_not_shown_are_said(world: World) -> None:
    for number in range(1, 15):
        world.candidate(str(number), f"PESSOA {chr(64 + number)}")
        world.bill(100 + number, f"PL {number}/2023", "Institui um dia.", [str(number)], ["Saúde"])
    found = world.service().retrieve("Quais os assuntos recorrentes das proposições?")
    assert [row.candidate.ballot_name for row in found.counts if row.candidate] == [
        f"PESSOA {letter}" for letter in "ABCDEFGHIJKL"
    ]
    assert "São 14 candidaturas com temas registrados; aparecem as 12 primeiras por nome de urna." in found.notices
