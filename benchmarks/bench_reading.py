"""How questions are read by models that never saw the writer: `python -m benchmarks.bench_reading [WRITER …]`."""

import json
import sys

from iris_assets.evaluation.reading import cross_validated
from iris_assets.training.phrases import PHRASES, read_phrases


def main(writers: list[str]) -> None:
    """Print the figures over the phrases of `writers` (default: every file), each writer held out once."""
    phrases = read_phrases(sorted(PHRASES.glob("*.jsonl")))
    wanted = writers or sorted({phrase.writer for phrase in phrases})
    print(json.dumps(cross_validated(phrases, wanted), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1:])
