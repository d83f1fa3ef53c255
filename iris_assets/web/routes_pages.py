"""The page under its addresses: one HTML file, with the title and the description of what the address shows."""

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from iris_assets.errors import NotFoundError
from iris_assets.web.records import bills_named, candidate_row, candidate_summary, document_head
from iris_assets.web.wiring import PlatformDependency

STATIC = Path(__file__).parent / "static"
SITE = "Registros políticos oficiais"
ABOUT = "Perguntas sobre registros políticos oficiais, com citações conferidas."
HEAD = "<!--head-->"
LONGEST = 200  # characters of a title or description
Head = tuple[str, str]

router = APIRouter(include_in_schema=False)


@router.get("/busca")
@router.get("/candidatura")
@router.get("/cobertura")
@router.get("/sobre")
def section() -> HTMLResponse:
    """A section that shows the same to everybody."""
    return _page("", ABOUT)


@router.get("/")
def question(q: Annotated[str, Query(max_length=4000)] = "") -> HTMLResponse:
    return _page(q, ABOUT)


@router.get("/comparar")
def comparison(tema: Annotated[str, Query(max_length=200)] = "") -> HTMLResponse:
    about = "De duas a quatro candidaturas lado a lado, em ordem alfabética, com as mesmas linhas para todas."
    return _page(f"Comparação sobre {tema}" if tema else "Comparar candidaturas", about)


@router.get("/r/{answer_id}")
@router.get("/respostas/{answer_id}")
def answer(platform: PlatformDependency, answer_id: str) -> HTMLResponse:
    def head() -> Head:
        found = platform.answers.get(answer_id)
        return found.question, found.answer

    return _found(head)


@router.get("/candidatura/{year}/{tse_id}")
def candidate(platform: PlatformDependency, year: int, tse_id: str) -> HTMLResponse:
    def head() -> Head:
        row = candidate_summary(candidate_row(platform.store, tse_id, year))
        return (
            row.label,
            f"Registro de candidatura, plano de governo e atuação na Câmara de {row.name}, eleição {year}.",
        )

    return _found(head)


@router.get("/proposicao/{reference}")
def proposition(platform: PlatformDependency, reference: str) -> HTMLResponse:
    def head() -> Head:
        found = bills_named(platform.store, reference)[0]
        return found.reference, found.summary or found.title or ""

    return _found(head)


@router.get("/documento/{document_hash}")
def document(platform: PlatformDependency, document_hash: str) -> HTMLResponse:
    def head() -> Head:
        found = document_head(platform.store, document_hash)
        pages = f", {found.page_count} páginas" if found.page_count else ""
        return found.title or "Plano de governo", f"Eleição {found.election_year}{pages}. Fonte: {found.url}"

    return _found(head)


def _found(head: Callable[[], Head]) -> HTMLResponse:
    """The page of something stored; the same page with status 404 when it is not there."""
    try:
        return _page(*head())
    except NotFoundError:
        return _page("", ABOUT, 404)


def _page(title: str, description: str, status: int = 200) -> HTMLResponse:
    name, about = _short(title), escape(_short(description))
    whole = escape(f"{name} · {SITE}" if name else SITE)
    tags = (
        f"<title>{whole}</title>",
        f'<meta name="description" content="{about}">',
        f'<meta property="og:title" content="{whole}">',
        f'<meta property="og:description" content="{about}">',
        '<meta property="og:type" content="website">',
        '<meta property="og:locale" content="pt_BR">',
    )
    html = (STATIC / "index.html").read_text(encoding="utf-8").replace(HEAD, "\n".join(tags))
    return HTMLResponse(html, status, headers={"Cache-Control": "no-cache"})


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rsplit(" ", 1)[0] + "…"
