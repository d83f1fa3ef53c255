"""Marks in labelled phrases which words some candidate of the given stores bears: what the reader meets at work.

python benchmarks/annotate_phrases.py FILE... --into iris_assets/question/phrases --store sqlite:///…  [--store …]
"""

import argparse
import json
from pathlib import Path

from iris_assets.question.name_index import CandidateNames
from iris_assets.question.tokens import tokenise
from iris_assets.store import open_store
from iris_assets.store.search import SearchFilter

ORDER = ".F01W2"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--store", action="append", required=True)
    chosen = parser.parse_args()
    indexes = [CandidateNames(open_store(url)).index(SearchFilter()) for url in chosen.store]
    for file in chosen.files:
        lines = []
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            forms = [token.form for token in tokenise(row["text"])]
            signs = [
                max(group, key=ORDER.index) for group in zip(*(index.signs(forms) for index in indexes), strict=True)
            ]
            lines.append(json.dumps({**row, "names": "".join(signs)}, ensure_ascii=False))
        (chosen.into / file.name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(file.name, len(lines))


if __name__ == "__main__":
    main()
