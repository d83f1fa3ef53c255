"""Figures of a ranking by ir-measures, and TREC files with which outside tools can recompute them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from iris_assets.errors import UsageError

# (question id, document name) → grade; question id → document names, best first
Judgments = Mapping[tuple[str, str], int]
Rankings = Mapping[str, Sequence[str]]

CUT = 10


def mean_metrics(judgments: Judgments, rankings: Rankings) -> dict[str, float]:
    """nDCG@10, R@10 and RR@10, averaged over all judged questions (a missing ranking counts 0)."""
    each = metrics_by_question(judgments, rankings)
    names = dict.fromkeys(name for values in each.values() for name in values)
    return {name: sum(values[name] for values in each.values()) / len(each) for name in names}


def metrics_by_question(judgments: Judgments, rankings: Rankings) -> dict[str, dict[str, float]]:
    """Judged question → its nDCG@10, R@10 and RR@10; 0 where there is no ranking."""
    import ir_measures
    from ir_measures import RR, R, nDCG

    wanted = {nDCG @ CUT: "nDCG@10", R @ CUT: "R@10", RR @ CUT: "RR@10"}
    qrels = [ir_measures.Qrel(query, document, grade) for (query, document), grade in judgments.items()]
    run = [
        ir_measures.ScoredDoc(query, document, 1.0 / rank)
        for query, documents in rankings.items()
        for rank, document in enumerate(documents, 1)
    ]
    found = {query: dict.fromkeys(wanted.values(), 0.0) for query, _ in judgments}
    for metric in ir_measures.iter_calc(list(wanted), qrels, run) if qrels else ():
        if metric.query_id in found:
            found[metric.query_id][wanted[metric.measure]] = float(metric.value)
    return found


def write_trec(folder: Path, name: str, judgments: Judgments, rankings: Rankings) -> None:
    """`qrels.txt` and `<name>.run` in TREC layout."""
    write_qrels(folder, judgments)
    write_run(folder, name, rankings)


def write_qrels(folder: Path, judgments: Judgments) -> None:
    """`qrels.txt`; UsageError EXPORT_UNWRITABLE when the folder cannot be made or takes no file."""
    lines = [f"{query} 0 {_word(document)} {grade}\n" for (query, document), grade in sorted(judgments.items())]
    _write(folder / "qrels.txt", lines)


def write_run(folder: Path, name: str, rankings: Rankings) -> None:
    """`<name>.run`; UsageError EXPORT_UNWRITABLE."""
    lines = [
        f"{query} Q0 {_word(document)} {rank} {1.0 / rank:.6f} {name}\n"
        for query, documents in sorted(rankings.items())
        for rank, document in enumerate(documents, 1)
    ]
    _write(folder / f"{name}.run", lines)


def _write(file: Path, lines: Sequence[str]) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(lines), encoding="utf-8", newline="\n")
    except OSError as error:
        problem = f"{file} cannot be written ({error.strerror})"
        raise UsageError("EXPORT_UNWRITABLE", problem, hint="give --export a folder that you may write to") from None


def _word(name: str) -> str:
    return "_".join(name.split())
