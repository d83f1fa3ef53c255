"""The pinned baseline: for one corpus and question set, never lowered silently."""

import json
from pathlib import Path

import pytest

from iris_assets.errors import UsageError
from iris_assets.evaluation.baselines import Measured, pin_baseline, read_baseline

HERE = Measured("golden", "SP", "lexical", "corpus", "questions")
FIGURES = {"nDCG@10": 0.90004, "R@10": 1.0, "removed_sentences": 4, "mode": "lexical"}


def test_only_watched_figures_are_pinned_and_the_file_says_on_what(tmp_path: Path) -> None:
    file = tmp_path / "floors.json"
    assert read_baseline(file, HERE) is None
    assert pin_baseline(file, HERE, FIGURES) == {"nDCG@10": 0.9, "R@10": 1.0}
    entry = json.loads(file.read_text(encoding="utf-8"))["golden"]["SP"]["lexical"]
    assert entry == {
        "corpus_hash": "corpus", "question_set_hash": "questions", "figures": {"nDCG@10": 0.9, "R@10": 1.0},
    }  # fmt: skip


def test_a_figure_below_the_baseline_is_told_with_both_numbers(tmp_path: Path) -> None:
    file = tmp_path / "floors.json"
    pin_baseline(file, HERE, FIGURES)
    baseline = read_baseline(file, HERE)
    assert baseline is not None
    assert baseline.broken_by(FIGURES) == []
    assert baseline.broken_by({"nDCG@10": 0.85}) == [
        "R@10 was not measured, the baseline is 1.000",
        "nDCG@10 0.850 is below the baseline 0.900",
    ]


@pytest.mark.parametrize("field", ["corpus_hash", "question_set_hash"])
def test_baselines_hold_for_their_corpus_and_questions_only(tmp_path: Path, field: str) -> None:
    file = tmp_path / "floors.json"
    pin_baseline(file, HERE, FIGURES)
    baseline = read_baseline(file, HERE)
    assert baseline is not None and baseline.hold_for(HERE)
    other = Measured(**{**{name: getattr(HERE, name) for name in HERE.__slots__}, field: "other"})
    assert not baseline.hold_for(other)
    assert read_baseline(file, Measured("golden", "AC", "lexical", "corpus", "questions")) is None
    assert read_baseline(file, Measured("golden", "SP", "hybrid m 3", "corpus", "questions")) is None


@pytest.mark.parametrize("corpus", ["corpus", "another corpus"])
def test_the_baseline_is_lowered_only_when_that_is_said(tmp_path: Path, corpus: str) -> None:
    file = tmp_path / "floors.json"
    pin_baseline(file, HERE, FIGURES)
    now = Measured("golden", "SP", "lexical", corpus, "questions")
    with pytest.raises(UsageError) as refused:
        pin_baseline(file, now, {"nDCG@10": 0.95, "R@10": 0.9})
    assert refused.value.code == "FLOOR_LOWERED" and "R@10 1.0000 → 0.9" in str(refused.value)
    with pytest.raises(UsageError, match=r"R@10 1\.0000 → none"):
        pin_baseline(file, now, {"nDCG@10": 0.95})
    unchanged = read_baseline(file, HERE)
    assert unchanged is not None and unchanged.figures == {"nDCG@10": 0.9, "R@10": 1.0}
    pin_baseline(file, now, {"nDCG@10": 0.95, "R@10": 0.9}, allow_lower=True)
    lowered = read_baseline(file, now)
    assert lowered is not None and lowered.figures == {"nDCG@10": 0.95, "R@10": 0.9}


def test_raising_and_pinning_again_need_no_word(tmp_path: Path) -> None:
    file = tmp_path / "floors.json"
    for figures in (FIGURES, FIGURES, {"nDCG@10": 0.95, "R@10": 1.0}):
        pin_baseline(file, HERE, figures)


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", "[" * 100_000, '{"golden": []}', '{"golden": {"SP": []}}', '{"golden": {"SP": {"lexical": {"floor": 1}}}}',
        '{"golden": {"SP": {"lexical": {"corpus_hash": "c", "question_set_hash": "q", "figures": []}}}}',
        '{"golden": {"SP": {"lexical": {"corpus_hash": "c", "question_set_hash": "q", "figures": {"R@10": "all"}}}}}',
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "floors.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as wrong:
        read_baseline(file, HERE)
    assert wrong.value.code == "FLOORS_INVALID"
