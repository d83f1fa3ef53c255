"""The language model as a second reader of questions: asked only where the trained one is unsure, bound to the question's words."""

import json
from dataclasses import replace
from typing import Any

import pytest

from iris_assets.llm.chat import ChatClient
from iris_assets.question.model import shipped
from iris_assets.question.name_index import NameIndex
from iris_assets.question.parsed import ParsedQuery
from iris_assets.question.reader import Reader
from iris_assets.settings import Settings
from iris_assets_tests.answers.fake_llm import fake_model, says

QUESTION = "E as creches, sai alguma coisa de Ana Lima nisso?"
UNSURE = replace(shipped(), temperature=50.0)  # every intent is about as likely


def read(reply: Any, model: Any = UNSURE, question: str = QUESTION) -> tuple[ParsedQuery, int]:
    with fake_model(says(reply if isinstance(reply, str) else json.dumps(reply))) as fake:
        chat = ChatClient.from_settings(Settings(llm_api_key="k", llm_base_url=fake.url, llm_api="chat"))
        reader = Reader(NameIndex(()), model=model, second=chat)
        return reader.read(question), len(fake.requests)


def test_the_model_gives_an_intent_and_tags_for_the_words_of_the_question() -> None:
    parsed, calls = read(
        {"intent": "plan", "words": [{"text": "creches", "tag": "TOPIC"}, {"text": "Ana Lima", "tag": "PERSON"}]}
    )
    assert (parsed.intent, parsed.is_sure, parsed.topic, calls) == ("plan", True, "creches", 1)
    assert [form for form, tag in parsed.words if tag == "PERSON"] == ["ANA", "LIMA"]


def test_no_name_number_or_filter_comes_in_that_the_question_does_not_hold() -> None:
    words = [
        {"text": "creches", "tag": "TOPIC"},
        {"text": "Bruno Costa", "tag": "PERSON"},
        {"text": "13", "tag": "NUMBER"},
        {"text": "PT", "tag": "PARTY"},
        {"text": "Acre", "tag": "PLACE"},
        {"text": "creches", "tag": "DROP TABLE"},
    ]
    parsed, _ = read({"intent": "plan", "words": words})
    assert (
        set(parsed.topic.split()) <= set(QUESTION.replace(",", "").split())
        and parsed.scope.is_empty
        and parsed.numbers == ()
    )
    assert "PERSON" not in {tag for form, tag in parsed.words if form in ("BRUNO", "COSTA")}


def test_a_refusal_of_the_model_is_one() -> None:
    assert read({"intent": "refuse:vote", "words": []})[0].refused == "vote"


@pytest.mark.parametrize("reply", ["nada", "[]", {"intent": "outra", "words": []}, {"intent": "plan"}, {"words": 3}])
def test_an_odd_reply_leaves_the_trained_reading(reply: Any) -> None:
    parsed, _ = read(reply)
    assert parsed.question == QUESTION and not parsed.refused


def test_where_the_trained_reader_is_sure_nobody_is_asked() -> None:
    _, calls = read({"intent": "bills", "words": []}, shipped(), "O que o plano de Ana Lima diz sobre creches?")
    assert calls == 0
