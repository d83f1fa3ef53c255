"""The second reader: what it does not find goes, what it cannot tell stays doubted, and it raises nothing."""

import json

import pytest

from iris_assets.answers.second_reader import read_again
from iris_assets.grounding import Evidence, Verified, verify
from iris_assets.llm.chat import ChatClient
from iris_assets.settings import Settings
from iris_assets_tests.answers.fake_llm import fake_model, says

EVIDENCE = Evidence("E1", "O governo poderá criar um fundo para as creches. Serão 20 creches.", "Plano de governo")
ANSWER = "O governo vai criar um fundo para as creches [E1]. Serão 20 creches [E1]. Serão 30 creches [E1]."


def read(said: str) -> tuple[Verified, int]:
    with fake_model(says(said)) as fake:
        chat = ChatClient.from_settings(Settings(llm_api_key="k", llm_base_url=fake.url, llm_api="chat"))
        assert chat is not None
        return read_again(verify(ANSWER, [EVIDENCE]), chat), len(fake.requests)


def test_what_the_reader_does_not_find_is_removed() -> None:
    verified, calls = read(json.dumps({"verdicts": ["not_borne_out"]}))
    assert verified.text == "Serão 20 creches [E1]."
    assert [item.reason for item in verified.removed] == ["NUMBER_NOT_IN_EVIDENCE", "SECOND_READER"]
    assert verified.flagged == () and calls == 1
    assert [citation.sentence for citation in verified.citations] == ["Serão 20 creches [E1]."]


@pytest.mark.parametrize(
    "said", ['{"verdicts": ["borne_out"]}', '{"verdicts": ["cannot_tell"]}', "nada", '{"verdicts": []}']
)
def test_a_doubt_stays_and_what_the_rules_removed_does_not_come_back(said: str) -> None:
    verified, _ = read(said)
    assert verified.text == "O governo vai criar um fundo para as creches [E1]. Serão 20 creches [E1]."
    assert [item.reason for item in verified.flagged] == ["MODALITY"]


def test_without_a_doubt_nobody_is_asked() -> None:
    with fake_model(says("{}")) as fake:
        chat = ChatClient.from_settings(Settings(llm_api_key="k", llm_base_url=fake.url, llm_api="chat"))
        assert chat is not None
        verified = verify("Serão 20 creches [E1].", [EVIDENCE])
        assert read_again(verified, chat) == verified and fake.requests == []
