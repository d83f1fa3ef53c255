"""The Model Context Protocol server as an assistant meets it: over standard input and output, and in process."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult
from typer.testing import CliRunner

from iris_assets.assistant import assistant_server
from iris_assets.cli import app
from iris_assets.platform import Platform
from iris_assets_tests.answers.world import ANA, PLAN_ANA, build_world


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    settings, store = build_world(tmp_path_factory.mktemp("assistant") / "data")
    yield Platform(settings, store=store)
    store.close()


def called(platform: Platform, tool: str, **arguments: Any) -> CallToolResult:
    async def call() -> CallToolResult:
        async with Client(assistant_server(platform)) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(call)


def test_over_standard_input_and_output_the_tools_are_listed_and_answer(world_folder: Path) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "iris_assets.cli", "mcp", "--data", str(world_folder)], env=dict(os.environ)
    )

    async def talk() -> tuple[set[str], CallToolResult]:
        async with Client(stdio_client(server)) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            return tools, await client.call_tool("perguntar", {"pergunta": "O que o plano propõe?", "candidatura": ANA})

    tools, answer = anyio.run(talk)
    assert tools == {"perguntar", "buscar", "conferir"}
    assert not answer.is_error and answer.structured_content is not None
    cited = [source for source in answer.structured_content["sources"] if source["cited"]]
    assert cited and all(source["page_start"] in {page for page, _ in PLAN_ANA} for source in cited)


def test_a_search_gives_page_and_source(platform: Platform) -> None:
    found = called(platform, "buscar", consulta="creches", candidatura=ANA, quantos=1)
    assert found.structured_content is not None
    [hit] = found.structured_content["results"]
    assert hit["source_type"] == "GOVERNMENT_PROPOSAL" and hit["page_start"] in {page for page, _ in PLAN_ANA}


def test_the_citation_check_removes_a_wrong_number(platform: Platform) -> None:
    evidence = {"id": "E1", "text": "O plano prevê construir 50 creches em Teresina."}
    result = called(platform, "conferir", resposta="O plano prevê construir 80 creches [E1].", evidencias=[evidence])
    assert result.structured_content is not None
    assert [claim["verdict"] for claim in result.structured_content["claims"]] == ["removed"]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("perguntar", {"pergunta": " "}, "QUESTION_EMPTY"),
        ("perguntar", {"pergunta": "saúde?", "candidatura": "999"}, "CANDIDATE_NOT_FOUND"),
        ("perguntar", {"pergunta": "saúde?", "ufs": ["XX"]}, "UF_UNKNOWN"),
        ("buscar", {"consulta": "saúde", "modo": "exato"}, "MODE_UNKNOWN"),
        ("conferir", {"resposta": "Nada [E1].", "evidencias": [{"text": "sem id"}]}, "PAYLOAD_INVALID"),
    ],
)
def test_a_wrong_request_is_told_with_its_code(
    platform: Platform, tool: str, arguments: dict[str, Any], code: str
) -> None:
    refused = called(platform, tool, **arguments)
    assert refused.is_error
    assert code in refused.content[0].text  # type: ignore[union-attr]


def test_a_store_that_is_not_there_is_told_before_anything_is_served(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["mcp", "--data", str(tmp_path / "nowhere")])
    assert done.exit_code == 1 and done.stdout == "" and done.stderr.startswith("STORE_ABSENT: ")


def test_without_the_extra_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iris_assets.extras.MCP", ("no_such_module",))
    done = CliRunner().invoke(app, ["mcp"])
    assert done.exit_code == 2 and done.stderr.startswith("MCP_NOT_INSTALLED: ")
    assert "pip install 'iris-assets[mcp]'" in done.stderr
