"""Prints the evidence of a few questions over a store, to be run in processes of their own.

    python -m iris_assets_tests.retrieval.ordering FILE [ORDER]

With ORDER (a number that shuffles the insertion) the store is filled first.
"""

import json
import random
import sys

import numpy as np

from iris_assets.store import open_store
from iris_assets_tests.retrieval.world import World

QUESTIONS = (
    "creches",
    "creches e saneamento",
    "bairros com saneamento básico",
    "O que Ana e Bia propõem sobre creches?",
)
TEXTS = ("Construir creches nos bairros.", "Levar saneamento básico aos bairros.", "Creches e saneamento para todos.")


class Fixed:
    """Any question has the same vector: similarities tie."""

    def embed_query(self, text: str) -> np.ndarray:
        return np.array([1, 0], dtype=np.float32)


def fill(world: World, order: int) -> None:
    """Three people, each with the three texts twice: scores tie everywhere."""
    steps = [("candidate", number, "") for number in (1, 2, 3)]
    plans = [("plan", number, f"{copy}{index}") for number in (1, 2, 3) for index in range(3) for copy in "xy"]
    random.Random(order).shuffle(steps)
    random.Random(order).shuffle(plans)
    for kind, number, name in (*steps, *plans):
        if kind == "candidate":
            world.candidate(str(number), ("ANA", "BIA", "CARLOS")[number - 1])
        else:
            world.plan(f"plan{number}{name}", [str(number)], [TEXTS[int(name[1])]])
    world.embed({"": np.array([1, 0], dtype=np.float32)}, "m", 2)


def main() -> None:
    store = open_store(f"sqlite:///{sys.argv[1]}")
    world = World(store)
    if len(sys.argv) > 2:
        fill(world, int(sys.argv[2]))
    service = world.service(Fixed(), embedding_model="m", embedding_dimension=2)
    found = {
        f"{mode} {question}": [
            [one.key for one in service.retrieve(question, mode=mode).evidences],
            [(one.key, one.rrf) for one in service.search(question, mode=mode, top_k=20).results],
        ]
        for question in QUESTIONS
        for mode in ("lexical", "vector", "hybrid")
    }
    print(json.dumps(found))
    store.close()


if __name__ == "__main__":
    main()
