"""Figures of a ranking by ir-measures, and TREC files with which outside tools can recompute them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

# (question id, document name) → grade; question id → document names, best first
Judgments = Mapping[tuple[str, str], int]
Rankings = Mapping[str, Sequence[str]]

CUT = 10


def measured(judgments: Judgments, rankings: Rankings) -> dict[str, float]:
    """nDCG@10, R@10 and RR@10, averaged over all judged questions (a missing ranking counts 0)."""
    import ir_measures
    from ir_measures import RR, R, nDCG

    qrels = [ir_measures.Qrel(query, document, grade) for (query, document), grade in judgments.items()]
    run = [
        ir_measures.ScoredDoc(query, document, 1.0 / rank)
        for query, documents in rankings.items()
        for rank, document in enumerate(documents, 1)
    ]
    if not qrels:
        return {}
    wanted = {"nDCG@10": nDCG @ CUT, "R@10": R @ CUT, "RR@10": RR @ CUT}
    found = ir_measures.calc_aggregate(list(wanted.values()), qrels, run)
    return {name: float(found[measure]) for name, measure in wanted.items()}


def write_trec(folder: Path, name: str, judgments: Judgments, rankings: Rankings) -> None:
    """`qrels.txt` and `<name>.run` in TREC layout."""
    folder.mkdir(parents=True, exist_ok=True)
    qrels = [f"{query} 0 {_word(document)} {grade}\n" for (query, document), grade in sorted(judgments.items())]
    (folder / "qrels.txt").write_text("".join(qrels), encoding="utf-8")
    lines = [
        f"{query} Q0 {_word(document)} {rank} {1.0 / rank:.6f} {name}\n"
        for query, documents in sorted(rankings.items())
        for rank, document in enumerate(documents, 1)
    ]
    (folder / f"{name}.run").write_text("".join(lines), encoding="utf-8")


def _word(name: str) -> str:
    return "_".join(name.split())
