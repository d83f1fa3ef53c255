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


def test_the_topics_that_are_not_shown_are_said(world: World) -> None:
    world.candidate("1", "ANA LIMA")
    topics = [f"Tema {chr(64 + number)}" for number in range(1, 13)]
    world.bill(7, "PL 7/2023", "Institui um dia.", ["1"], topics)
    found = world.service().retrieve("Principais temas dos projetos de Ana Lima")
    assert len(found.counts) == 12
    assert found.evidences[0].content.endswith("; Tema J: 1; e mais 2 temas.")
