"""Article extraction against gold texts: `python benchmarks/bench_articles.py FOLDER` prints the table as JSON."""

import json
import sys
from pathlib import Path

from iris_assets.articles.evaluation import evaluate_folder

if __name__ == "__main__":
    print(json.dumps(evaluate_folder(Path(sys.argv[1])), indent=1))
