"""Pages as Brazilian newsrooms build them, generated: the same report in seven structures and a few that are no article."""

import json
from collections.abc import Callable
from typing import Any

from iris_assets_tests.articles.samples import TITLE
from iris_assets_tests.articles.test_completeness import SIDES

BODY = "".join(f"<p>{line}</p>" for line in SIDES)
MENU = '<nav><ul><li><a href="/p">Política</a></li><li><a href="/e">Economia</a></li></ul></nav>'
FOOT = "<footer><p>Assine nossa newsletter e receba as notícias da semana.</p><p>© Jornal</p></footer>"


def node(kind: str = "NewsArticle", **more: Any) -> dict[str, Any]:
    return {"@context": "https://schema.org", "@type": kind, "headline": TITLE, "datePublished": "2026-08-01", **more}


def page(body: str, *data: Any, head: str = "", attributes: str = "") -> str:
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(item)}</script>' for item in data)
    return (
        f'<!doctype html><html lang="pt-BR" {attributes}><head><title>{TITLE}</title>{head}{scripts}</head>'
        f"<body>{MENU}{body}{FOOT}</body></html>"
    )


def picture(number: int) -> str:
    return f'<figure><img src="/f{number}.jpg" alt="Foto {number}"><figcaption>Foto {number} da visita</figcaption></figure>'


GATE = '<div class="paywall"><p>Assine para continuar lendo este conteúdo exclusivo.</p></div>'
UPDATES = [{"@type": "BlogPosting", "headline": f"{hour}h", "articleBody": SIDES[hour - 9]} for hour in range(9, 15)]

# name → (page, its kind, why its text is not whole)
STRUCTURES: dict[str, Callable[[], tuple[str, str, str | None]]] = {
    "G1-like": lambda: (
        page(f'<main><h1>{TITLE}</h1><article itemprop="articleBody">'
             + "".join(f'<div class="mc-column"><p class="content-text__container">{line}</p></div>' for line in SIDES)
             + "</article></main>", node(isAccessibleForFree="True")), "article", None,
    ),
    "Folha-like": lambda: (
        page(f'<main><article class="c-news"><h1>{TITLE}</h1><div class="c-news__body">{BODY}</div></article></main>',
             node("ReportageNewsArticle", isAccessibleForFree=False, articleBody=" ".join(SIDES))), "article", None,
    ),
    "WordPress": lambda: (
        page(f'<div id="content"><article class="post hentry"><h1 class="entry-title">{TITLE}</h1>'
             f'<div class="entry-content">{BODY}</div></article></div>',
             {"@context": "https://schema.org", "@graph": [node("BlogPosting", wordCount=130), {"@type": "WebSite"}]}),
        "article", None,
    ),
    "AMP": lambda: (
        page(f"<article><h1>{TITLE}</h1>{BODY}</article>", node(), attributes="amp"), "article", None,
    ),
    "live blog": lambda: (
        page(f"<main><h1>{TITLE}</h1>" + "".join(f"<section><h2>{u['headline']}</h2><p>{u['articleBody']}</p></section>"
             for u in UPDATES) + "</main>", node("LiveBlogPosting", liveBlogUpdate=UPDATES)), "live_blog", "LIVE_BLOG",
    ),
    "paywall": lambda: (
        page(f"<main><article><h1>{TITLE}</h1><p>{SIDES[0]}</p><p>{SIDES[1]}</p>{GATE}</article></main>",
             node(isAccessibleForFree=False, wordCount=900)), "article", "PAYWALL",
    ),
    "gallery": lambda: (
        page(f"<main><article><h1>{TITLE}</h1><p>{SIDES[0]}</p><p>{SIDES[1]}</p>" + "".join(map(picture, range(12)))
             + "</article></main>", node("ImageGallery")), "gallery", "GALLERY",
    ),
    "paywall that declares nothing": lambda: (
        page(f"<main><article><h1>{TITLE}</h1><p>{SIDES[0]}</p><p>{SIDES[1]}</p>{GATE}</article></main>"),
        "unknown", "SUBSCRIPTION_ASKED",
    ),
    "cut without a gate": lambda: (
        page(f"<main><article><h1>{TITLE}</h1><p>{SIDES[0]}</p><p>{SIDES[1]}</p></article></main>", node(wordCount="800")),
        "article", "SHORTER_THAN_DECLARED",
    ),
    "product": lambda: (page(f"<main><h1>Livro</h1>{BODY}</main>", node("Product")), "product", None),
    "forum": lambda: (page(f"<main><h1>Dúvida</h1>{BODY}</main>", node("DiscussionForumPosting")), "forum", None),
    "listing": lambda: (page(f"<main><h1>Notícias</h1>{BODY}</main>", node("CollectionPage")), "listing", None),
    "article beside a product": lambda: (
        page(f"<article><h1>{TITLE}</h1>{BODY}</article>", node(), node("Product")), "article", None,
    ),
}  # fmt: skip
