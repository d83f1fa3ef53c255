"""Commands that question the store: ask, search, check-answer."""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from iris_assets.commands.options import (
    CandidateOption,
    DataOption,
    JsonOption,
    print_json,
    reports_errors,
    settings_for,
)
from iris_assets.errors import UsageError
from iris_assets.words.messages import notice
from iris_assets.words.source_kinds import SOURCE_TYPES

_VERDICTS = {"borne_out": "confirmada", "doubted": "com dúvida", "removed": "retirada"}
LONGEST_HIT = 800  # characters
_JSON_LINES = (".jsonl", ".ndjson")
MODES = ("lexical", "vector", "hybrid")
StatesOption = Annotated[list[str] | None, typer.Option("--uf", help="Só desta UF (sigla ou nome); pode repetir.")]
PartiesOption = Annotated[list[str] | None, typer.Option("--party", help="Só deste partido; pode repetir.")]
OfficesOption = Annotated[list[str] | None, typer.Option("--office", help="Só deste cargo; pode repetir.")]
YearsOption = Annotated[list[int] | None, typer.Option("--year", help="Só desta eleição; pode repetir.")]


@reports_errors
def ask(
    question: Annotated[str, typer.Argument(help="A pergunta, em português.")],
    candidate: CandidateOption = None,
    states: StatesOption = None,
    parties: PartiesOption = None,
    offices: OfficesOption = None,
    years: YearsOption = None,
    page: Annotated[
        int, typer.Option("--page", min=1, help="Página de uma lista de candidaturas ou do que cada uma propõe.")
    ] = 1,
    data: DataOption = None,
    as_json: JsonOption = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Escreve Markdown.")] = False,
    with_context: Annotated[
        bool, typer.Option("--context", help="Mostra também o texto inteiro das páginas citadas.")
    ] = False,
) -> None:
    """Responde com citações verificadas dos registros oficiais."""
    from iris_assets.answers.pages import cited_pages
    from iris_assets.commands.asking import asked_platform
    from iris_assets.question.filter_values import search_filter

    if as_json and as_markdown:
        raise UsageError("OPTIONS_EXCLUSIVE", "--json and --markdown are two forms of one answer", hint="choose one")
    filters = search_filter(states, parties, offices, years)
    with asked_platform(settings_for(data)) as platform:
        reply = platform.answers.ask(question, candidate=candidate, filters=filters, page=page)
        context = [asdict(one) for one in cited_pages(platform.store, reply.sources)] if with_context else []
    answer = reply.model_dump(mode="json")
    if with_context:
        answer["context"] = context
    if as_json:
        print_json(answer)
    elif as_markdown:
        typer.echo(_markdown(answer))
    else:
        _print_answer(answer)


@reports_errors
def search(
    query: Annotated[str, typer.Argument(help="Palavras ou pergunta.")],
    candidate: CandidateOption = None,
    states: StatesOption = None,
    parties: PartiesOption = None,
    offices: OfficesOption = None,
    years: YearsOption = None,
    source_type: Annotated[
        str | None,
        typer.Option("--source-type", help=f"{', '.join(SOURCE_TYPES)}."),
    ] = None,
    mode: Annotated[str, typer.Option("--mode", help="lexical, vector ou hybrid.")] = "hybrid",
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=50, help="Quantos trechos.")] = 8,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Busca trechos, com as notas separadas de cada busca."""
    from iris_assets.answers.wording import worded
    from iris_assets.commands.asking import asked_platform
    from iris_assets.question.filter_values import search_filter

    if mode not in MODES:
        raise UsageError("MODE_UNKNOWN", f"unknown mode {mode}", hint=f"use one of {', '.join(MODES)}")
    filters = search_filter(states, parties, offices, years)
    with asked_platform(settings_for(data)) as platform:
        response = platform.retrieval.search(
            query, candidate=candidate, source_type=source_type, filters=filters, mode=mode, top_k=top_k
        )
        result = response.as_json()
    if as_json:
        print_json(result)
        return
    console = Console()
    texts = [worded(query, evidence)[:LONGEST_HIT] for evidence in response.results]
    for number, (hit, text) in enumerate(zip(result["results"], texts, strict=True), 1):
        console.print(Text(f"{number}. {hit['title']}{_pages(hit)}", style="bold"))
        console.print(Text(f"   {text}"))
        console.print(
            Text(f"   {hit['source_type']} {hit['source_id']} {hit['url'] or ''}", style="dim"), soft_wrap=True
        )
    if not result["results"]:
        console.print(notice("NOTHING_FOUND"))
    for said in result["notices"]:
        console.print(Text(f"! {said}", style="yellow"))


@reports_errors
def check_answer_file(
    file: Annotated[
        Path, typer.Argument(help="JSON com evidences e answer, JSON Lines, texto ou Markdown; - lê a entrada padrão.")
    ],
    evidence: Annotated[
        list[Path] | None,
        typer.Option("--evidence", help="Texto que um arquivo de texto cita como E1, E2, … (repetível)."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Confere as citações de uma resposta de qualquer sistema contra as suas evidências.

    Sai com 0 quando a resposta foi conferida, mesmo com frases retiradas ou em dúvida, e com 2 quando o arquivo não
    pôde ser lido.
    """
    from iris_assets.answers.check import check_answer

    for payload in _answers_of(file, evidence or []):
        result = check_answer(payload)
        if as_json:
            print_json(result) if file.suffix not in _JSON_LINES else typer.echo(json.dumps(result, ensure_ascii=False))
            continue
        typer.echo(result["answer"])
        for claim in result["claims"]:
            typer.echo(f"\n[{_VERDICTS[claim['verdict']]}] {claim['text']}")
            for support in claim["supports"]:
                typer.echo(f"  {support['evidence_id']}: {support['text']}")
        for removed in result["removed"]:
            typer.echo(f"- {removed['text']} ({removed['reason']}: {removed['detail']})")
        for doubt in result["flagged"]:
            typer.echo(f"? {doubt['text']} ({doubt['reason']}: {doubt['detail']})")
        for said in result["notices"]:
            typer.echo(f"! {said}")


def _answers_of(file: Path, evidences: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """The answers of a file: one JSON object, one a line, or a text with its evidences in other files."""
    if evidences:
        texts = [{"id": f"E{n}", "text": _read_text(path), "title": path.stem} for n, path in enumerate(evidences, 1)]
        yield {"answer": _read_text(file), "evidences": texts}
    elif file.suffix in _JSON_LINES:
        yield from (
            _parsed(line, f"{file}, line {n}")
            for n, line in enumerate(_read_text(file).splitlines(), 1)
            if line.strip()
        )
    elif file.suffix in (".txt", ".md"):
        raise UsageError("EVIDENCE_MISSING", f"{file} is a text without evidences", hint="--evidence FILE for each")
    else:
        yield _parsed(_read_text(file), str(file))


def _read_text(file: Path) -> str:
    try:
        return (sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()).decode("utf-8-sig")
    except OSError as error:
        raise UsageError("FILE_UNREADABLE", f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError("JSON_INVALID", f"{file} is not UTF-8", hint="save the file as UTF-8") from None


def _parsed(text: str, place: str) -> dict[str, Any]:
    if not text.strip():
        raise UsageError("JSON_INVALID", f"{place} is empty", hint="give evidences and answer as JSON")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError("JSON_INVALID", f"{place} is no JSON document") from None
    if not isinstance(value, dict):
        raise UsageError("JSON_INVALID", f"{place} holds no JSON object")
    return value


def _pages(source: dict[str, Any]) -> str:
    first, last = source.get("page_start"), source.get("page_end")
    if not first:
        return ""
    return f", p. {first}" if first == last or not last else f", p. {first}–{last}"


def _is_web(url: str | None) -> bool:
    """Only web addresses become links: anything else in a record is text."""
    return url is not None and url.startswith(("https://", "http://"))


def _autolink(url: str | None) -> str:
    return f" <{url}>" if _is_web(url) else f" {url}" if url else ""


def _print_answer(answer: dict[str, Any]) -> None:
    console = Console()
    console.print(Text(answer["answer"]))
    for cited, heading in ((True, "Fontes citadas"), (False, "Fontes consultadas")):
        sources = [source for source in answer["sources"] if source["cited"] is cited]
        if sources:
            console.print(Text(f"\n{heading}", style="bold"))
        for source in sources:
            line = Text(f"[{source['evidence_id']}] ")
            url = source["url"] or ""
            style = f"link {url}" if _is_web(url) else ""
            line.append(f"{source['title']}{_pages(source)}", style=style)
            console.print(line)
            counted = f"o que foi contado: {source['list_url']}" if source["list_url"] else ""
            for told in dict.fromkeys((source["human_url"] or "", url, source["locator"] or "", counted)):
                if told:
                    console.print(Text(f"     {told}", style="dim"), soft_wrap=True)
    for page in answer.get("context", ()):
        console.print(Text(f"\n{_page_head(page)}", style="bold"))
        console.print(Text(page["text"]))
    for said in answer["notices"]:
        console.print(Text(f"! {said}", style="yellow"))


def _page_head(page: dict[str, Any]) -> str:
    return f"{page['title']}, p. {page['number']} [{', '.join(page['evidence_ids'])}]"


def _markdown(answer: dict[str, Any]) -> str:
    lines = [answer["answer"], ""]
    lines += [
        f"* [{source['evidence_id']}] {source['title']}{_pages(source)}{_autolink(source['human_url'])}{_autolink(source['url'])}"
        for source in answer["sources"]
        if source["cited"]
    ]
    lines += [f"\n### {_page_head(page)}\n\n{page['text']}" for page in answer.get("context", ())]
    lines += [f"\n> {said}" for said in answer["notices"]]
    return "\n".join(lines)
