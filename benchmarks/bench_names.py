"""CPU time and memory of questions asked at once of a store with as many candidates as an election has.

uv run python benchmarks/bench_names.py --candidates 29000 --candidates 100000
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from iris_assets.platform import Platform
from iris_assets.settings import load_settings
from iris_assets.store import open_store
from iris_assets.ufs import PARTITIONS
from iris_assets.words.text import word_set

FIRST = sorted(
    word_set("ANA BIA CAIO DORA ELI FABIO GIL HELENA IARA JOEL KATIA LUIS MARA NICO OLGA PAULO RITA SARA TIAGO VERA")
)
LAST = sorted(
    word_set("ABREU BORGES CAMPOS DUARTE ESTEVES FARIA GUEDES HORTA LEAL MOURA NERY OSORIO PRADO QUADROS RAMOS SALES")
)
STATES = [uf for uf in PARTITIONS if uf != "BR"]
BATCH = 2_000


def candidate(number: int) -> dict[str, object]:
    """An invented candidate; surnames repeat as they do in a registry, and the number makes one of them rare."""
    first, last = FIRST[number % len(FIRST)], LAST[number // 7 % len(LAST)]
    rare = "".join(chr(65 + int(digit)) * 2 for digit in f"{number:06d}")
    return {
        "tse_id": f"{number:012d}", "election_year": 2026, "name": f"{first} {rare} {last}",
        "ballot_name": f"{first} {last} {rare}", "state": STATES[number % len(STATES)], "party": f"P{number % 30}",
        "office": "DEPUTADO ESTADUAL", "candidate_number": 10_000 + number % 90_000,
    }  # fmt: skip


def filled(folder: Path, count: int) -> None:
    store = open_store(load_settings(iris_assets_data=folder).store_url)
    for start in range(0, count, BATCH):
        with store.transaction() as tx:
            store.candidates.upsert(tx, [candidate(number) for number in range(start, min(start + BATCH, count))])
    store.close()


def asked(folder: Path, count: int) -> None:
    """Ten questions at once, cold, again with other names, and again after the seconds for which a mark is believed."""
    platform = Platform(load_settings(iris_assets_data=folder))
    answers = platform.answers
    names = [str(candidate(number)["ballot_name"]) for number in range(0, count, count // 40)]
    for label, chosen, pause in (("cold", names[:10], 0), ("afterwards", names[10:20], 0), ("later", names[20:30], 3)):
        time.sleep(pause)
        before, started = time.process_time(), time.perf_counter()
        with ThreadPoolExecutor(10) as pool:
            list(pool.map(lambda name: answers.ask(f"Qual é o partido de {name}?"), chosen))
        seconds = time.perf_counter() - started
        print(f"{count} candidates, {label}: {time.process_time() - before:.2f} CPU s, {seconds:.2f} s", flush=True)
    print(f"{count} candidates, peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    platform.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=int, action="append")
    parser.add_argument("--folder", type=Path, help="ask the filled store of this folder, in this process")
    chosen = parser.parse_args()
    if chosen.folder:
        asked(chosen.folder, chosen.candidates[0])
        return
    for count in chosen.candidates or [29_000]:
        with tempfile.TemporaryDirectory() as folder:
            filled(Path(folder), count)
            # A process of its own: its memory is that of asking alone.
            command = [sys.executable, __file__, "--candidates", str(count), "--folder", folder]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
