"""Article extraction and cleaning against gold texts: `python benchmarks/bench_articles.py ../shared/data` prints JSON.

The table of `iris-assets evaluate --articles`, and the share of sentences, links and pictures of every cleaned page
(benchmark and Portuguese pages) that the tests' independent checker finds in the input.
"""

import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from iris_assets.articles.blocks import map_blocks
from iris_assets.articles.configuration import read_config
from iris_assets.articles.contracts import Article
from iris_assets.articles.defects import flagged
from iris_assets.articles.evaluation import evaluate, read_pages
from iris_assets.articles.extraction import make_article
from iris_assets.articles.harness import deterministic
from iris_assets.articles.markdown import assemble
from iris_assets.articles.pages import decoded
from iris_assets_tests.articles import grounding


def brazilian(folder: Path) -> Iterator[Article]:
    for page in sorted(folder.glob("*/page.html")):
        gold = json.loads((page.parent / "gold.json").read_text("utf-8"))
        yield make_article(decoded(page.read_bytes()), gold["url"])


def grounded(articles: list[Article]) -> dict[str, Any]:
    sentences = lost = foreign = 0
    for article in articles:
        found = deterministic(flagged(map_blocks(article)), read_config().thresholds)
        markdown = assemble(found.title, found.subtitle, found.body, found.texts, found.links)
        value = article.model_dump(mode="json")
        sentences += len(grounding.sentences_of(markdown))
        lost += len(grounding.ungrounded(markdown, value))
        foreign += len(grounding.foreign_addresses(markdown, value))
    return {"articles": len(articles), "sentences": sentences, "grounded_share": 1 - lost / sentences,
            "foreign_addresses": foreign}  # fmt: skip


def measure(folder: Path) -> dict[str, Any]:
    warnings.simplefilter("ignore")
    pages = [(make_article(html, url), gold) for _, html, url, gold in read_pages(folder / "article_benchmark")]
    every = [*(article for article, _ in pages), *brazilian(folder / "articles")]
    return {**evaluate(pages), "grounding": grounded(every)}


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1])), indent=1))
