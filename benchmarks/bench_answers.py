"""What 2,000 questions asked twice add to the store, and what they cost: `python benchmarks/bench_answers.py --data DIR`.

The store is copied first; DIR is the data folder of a run over the plans of 2022 (docs/benchmarks.md, golden questions).
"""

import argparse
import shutil
import tempfile
import time
from itertools import product
from pathlib import Path

from iris_assets.platform import Platform
from iris_assets.settings import load_settings

FILE = "iris_assets.sqlite3"
THEMES = (
    "saúde", "educação", "Amazônia", "creches", "mulheres", "cultura", "esporte", "moradia", "saneamento", "Petrobras",
    "corrupção", "desmatamento", "fome", "energia", "indígenas", "idosos", "juventude", "segurança", "emprego", "impostos",
)  # fmt: skip
PEOPLE = (
    "Lula", "Jair Bolsonaro", "Simone Tebet", "Vera", "Felipe d'Avila", "Léo Péricles", "Eymael", "Roberto Jefferson",
    "Ciro Gomes", "Soraya Thronicke",
)  # fmt: skip
FORMS = (
    "O que {} propõe sobre {}?", "Qual a proposta de {} para {}?", "{} fala de {}?", "Em que página {} trata de {}?",
    "{} quer o quê na área de {}?", "o plano de {} e {}", "E quanto a {}: {}?", "Resuma o que {} diz de {}.",
    "{} vai fazer o que por {}?", "{} e {}",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(data / FILE, folder)
        platform = Platform(load_settings({}, iris_assets_data=Path(folder)))
        questions = [form.format(*about) for form in FORMS for about in product(PEOPLE, THEMES)]
        before = _size(platform, Path(folder))
        for said in ("asked first", "asked again"):
            started = time.process_time()
            for question in questions:
                platform.answers.ask(question)
            cost = 1000 * (time.process_time() - started) / len(questions)
            after = _size(platform, Path(folder))
            print(f"{len(questions)} questions {said}: {cost:.1f} CPU ms each, {(after - before) / 1e6:.1f} MB more")
            before = after
        platform.close()


def _size(platform: Platform, folder: Path) -> int:
    platform.store.optimise()
    return sum(path.stat().st_size for path in folder.glob(f"{FILE}*"))


if __name__ == "__main__":
    main()
