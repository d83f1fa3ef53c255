"""What readers are told: each failure in both languages, in words that a reader of 15 knows."""

import re

import pytest

from iris_assets.words.data_files import document
from iris_assets.words.messages import failure, notice, preferred_language

JARGON = re.compile(
    r"vetor|indexad|embedding|limiar|\bchave|\bRAG\b|\bAPI\b|modelo de linguagem|índice|[A-Z]{2,}_[A-Z]", re.IGNORECASE
)


def test_every_failure_is_a_sentence_in_both_languages_without_jargon() -> None:
    table = document("messages.yaml")
    for code, sentences in table["errors"].items():
        assert set(sentences) == {"pt", "en"}, code
        assert all(sentence.endswith(".") for sentence in sentences.values()), code
        assert not JARGON.search(sentences["pt"]), code
    assert not any(JARGON.search(notice(name)) for name in table["notices"])


def test_a_failure_is_told_by_its_code_its_kind_or_its_status() -> None:
    assert failure("STORE_BUSY", 503).startswith("Os registros estão sendo atualizados")
    assert failure("STORE_IO", 503) == failure("STORE_LINK_LOST", 503) == failure("STORE", 503)
    assert failure("UNHEARD_OF", 404) == failure(None, 404) == "Não há nada neste endereço."
    assert failure(None, 418, "en").startswith("Something failed")


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "pt"),
        ("*", "pt"),
        ("en", "en"),
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("de, en-US;q=0.3", "en"),
        ("en;q=0.2, pt;q=0.7", "pt"),
        ("en;q=0", "pt"),
        ("en;q=x", "pt"),
    ],
)
def test_the_language_is_the_one_liked_best(accepted: str, language: str) -> None:
    assert preferred_language(accepted) == language
