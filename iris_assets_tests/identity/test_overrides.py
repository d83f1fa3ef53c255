"""overrides.json: only boolean true counts, a broken file is an error, decisions are dated and reversible."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from iris_assets.errors import ConfigurationError, NotFoundError, UsageError
from iris_assets.identity import Override
from iris_assets.identity.overrides import load_overrides, remove_override, write_override

NOON = datetime(2026, 8, 15, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "overrides.json"


def test_an_absent_file_holds_no_decision(path: Path) -> None:
    assert load_overrides(path).overrides == ()


def test_a_decision_is_written_with_who_when_and_why_and_can_be_undone(path: Path) -> None:
    write_override(path, "250001", 74459, reason="biografia oficial", who="ana", now=NOON)
    assert load_overrides(path).overrides == (Override("250001", 74459, "biografia oficial"),)
    assert json.loads(path.read_text("utf-8")) == [
        {
            "tse_candidate_id": "250001",
            "camara_deputy_id": 74459,
            "verified": True,
            "reason": "biografia oficial",
            "decided_by": "ana",
            "decided_at": "2026-08-15T12:00:00+00:00",
        }
    ]
    remove_override(path, "250001", who="bia", now=NOON)
    loaded = load_overrides(path)
    assert loaded.overrides == () and len(loaded.ignored) == 1
    entry = json.loads(path.read_text("utf-8"))[0]
    assert (entry["verified"], entry["undone_by"], entry["decided_by"]) == (False, "bia", "ana")


def test_a_new_decision_undoes_the_earlier_one_and_keeps_it(path: Path) -> None:
    write_override(path, "1", 10, reason="a", who="ana")
    write_override(path, "1", 11, reason="b", who="bia")
    assert load_overrides(path).overrides == (Override("1", 11, "b"),)
    assert [entry["verified"] for entry in json.loads(path.read_text("utf-8"))] == [False, True]


@pytest.mark.parametrize("verified", ["true", 1, "yes", None])
def test_only_boolean_true_counts(path: Path, verified: object) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps([{"tse_candidate_id": "1", "camara_deputy_id": 2, "verified": verified}]), "utf-8")
    loaded = load_overrides(path)
    assert loaded.overrides == () and len(loaded.ignored) == 1


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}",
        "[1]",
        '[{"tse_candidate_id": "1", "camara_deputy_id": "x", "verified": true}]',
        '[{"tse_candidate_id": "1", "camara_deputy_id": true, "verified": true}]',
        '[{"tse_candidate_id": "", "camara_deputy_id": 2, "verified": true}]',
        '[{"tse_candidate_id": "1", "camara_deputy_id": 2, "verified": true},'
        ' {"tse_candidate_id": 1, "camara_deputy_id": 3, "verified": true}]',
    ],
)
def test_a_broken_file_is_an_error_and_never_an_empty_one(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load_overrides(path)
    assert caught.value.code == "OVERRIDES_INVALID"


@pytest.mark.parametrize(
    ("tse_id", "deputy", "reason", "who"),
    [("x", 1, "a", "b"), ("1", 0, "a", "b"), ("1", 1, " ", "b"), ("1", 1, "a", "")],
)
def test_an_incomplete_decision_is_refused(path: Path, tse_id: str, deputy: int, reason: str, who: str) -> None:
    with pytest.raises(UsageError) as caught:
        write_override(path, tse_id, deputy, reason=reason, who=who)
    assert caught.value.code == "OVERRIDE_INCOMPLETE"
    assert not path.exists()


def test_what_was_never_decided_cannot_be_undone(path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        remove_override(path, "1", who="ana")
    assert caught.value.code == "OVERRIDE_NOT_FOUND"


def test_rejections_are_kept_apart_and_may_be_several(path: Path) -> None:
    write_override(path, "1", 10, reason="a", who="ana", same=False)
    write_override(path, "1", 11, reason="b", who="ana", same=False)
    write_override(path, "1", 12, reason="c", who="ana")
    loaded = load_overrides(path)
    assert loaded.overrides == (Override("1", 12, "c"),)
    assert loaded.rejections == (Override("1", 10, "a", same=False), Override("1", 11, "b", same=False))


def test_a_pair_cannot_be_both(path: Path) -> None:
    both = [
        {"tse_candidate_id": "1", "camara_deputy_id": 10, "verified": True},
        {"tse_candidate_id": "1", "camara_deputy_id": 10, "verified": True, "same_person": False},
    ]
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(both), "utf-8")
    with pytest.raises(ConfigurationError):
        load_overrides(path)
