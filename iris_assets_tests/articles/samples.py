"""A small article, its profile and a truthful fake model."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from iris_assets.articles.configuration import RuntimeConfig, load_config

PARAGRAPHS = (
    "A deputada Ana Lima (PSX-SP) apresentou nesta terça-feira um projeto de lei sobre transporte escolar.",
    "Segundo a autora, a proposta atende 1.200 municípios e custa R$ 35 milhões por ano aos cofres da União.",
    "O texto será analisado pela Comissão de Educação antes de seguir ao plenário da Câmara dos Deputados.",
)
TITLE = "Ana Lima propõe lei sobre transporte escolar"
PROFILE = {
    "profile_id": "250001", "version": "v1", "names": ["ANA LIMA DE SOUZA"], "ballot_name": "ANA LIMA",
    "party": "PSX", "office": "DEPUTADO FEDERAL", "uf": "SP", "camara_id": 9001,
}  # fmt: skip


def article(paragraphs: tuple[str, ...] = PARAGRAPHS, extra: str = "", number: int = 1) -> dict[str, Any]:
    text = "\n".join(paragraphs)
    other = {"title": TITLE, "text": text}
    html = "".join(f"<p>{line}</p>" for line in paragraphs)
    return {
        "article_id": f"a{number}", "url": f"https://jornal.example/n/{number}", "fetched_at": "2026-08-01T10:00:00Z",
        "language": "pt-BR", "selected_extractor": "readability",
        "extractions": {"trafilatura": other, "newspaper4k": other,
                        "readability": {"title": TITLE, "html": f"<div>{html}{extra}</div>", "text": text}},
    }  # fmt: skip


def config(url: str, **operation: Any) -> RuntimeConfig:
    """Both roles at the loopback server, no pauses."""
    environment = {"RUNTIME_PRIMARY_BASE_URL": f"{url}", "RUNTIME_FALLBACK_BASE_URL": f"{url}"}
    found = load_config(None, environment)
    settings = {"pause": 0.0, "attempts": 2, "call_seconds": 20.0, **operation}
    return found.model_copy(update={"operation": found.operation.model_copy(update=settings)})


KEYS = {"GROQ_API_KEY": "sk-segredo-um", "DEEPSEEK_API_KEY": "sk-segredo-dois"}


def step_of(system: str) -> str:
    if "which blocks of a news page" in system:
        return "hygiene"
    return "gate" if "is about the person" in system else "enrichment"


def truth(system: str, user: str) -> dict[str, Any]:
    told = json.loads(user)
    blocks = told["blocks"]
    if step_of(system) == "hygiene":
        own = [b for b in blocks if b["selected"]]
        body = [b["id"] for b in own if b["type"] not in ("title", "subtitle", "author", "image")]
        title = next((b["id"] for b in own if b["type"] == "title"), None)
        return {"title": title, "subtitle": None, "author": None, "kept": body, "images": [], "links": [],
                "repairs": [], "removed": []}  # fmt: skip
    evidence = [blocks[0]["id"]]
    if step_of(system) == "gate":
        return {"category": "direct", "is_inherent": True, "confidence": 0.9, "rationale": "ok", "evidence": evidence}
    return {"tone": "neutral", "tags": ["transporte", "lei", "projeto"], "evidence": evidence}


def reply(change: Callable[[str, dict[str, Any], dict[str, Any]], Any] | None = None) -> Callable[[str, str], str]:
    def answer(system: str, user: str) -> str:
        value: Any = truth(system, user)
        if change is not None:
            value = change(step_of(system), value, json.loads(user))
        return value if isinstance(value, str) else json.dumps(value)

    return answer


def paths(folder: Path) -> dict[str, Path]:
    return {"out": folder / "out", "state_path": folder / "state.sqlite3"}
