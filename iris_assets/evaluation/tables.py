"""The figures of an evaluation as Markdown tables: by mode, by group of questions, and what changed."""

from collections.abc import Mapping, Sequence

from iris_assets.evaluation.changes import Change

Figures = Mapping[str, Mapping[str, float]]


def figure_table(first: str, rows: Figures) -> str:
    """One row per name (a mode, a group), one column per figure; a dash where a figure says nothing."""
    names = list(dict.fromkeys(name for figures in rows.values() for name in figures))
    body = [[name, *(_number(figures.get(figure), figure) for figure in names)] for name, figures in rows.items()]
    return _table([first, *names], body)


def change_table(changes: Sequence[Change]) -> str:
    """Figure, before, now, difference and its 95 % interval, number of questions in common."""
    body = [
        [
            one.name,
            f"{one.before:.3f}",
            f"{one.after:.3f}",
            f"{one.difference:+.3f}",
            f"{one.low:+.3f} … {one.high:+.3f}",
            str(one.questions),
        ]
        for one in changes
    ]
    return _table(["figure", "before", "now", "change", "95 %", "questions"], body)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _number(value: float | None, name: str) -> str:
    if value is None:
        return "–"
    return f"{value:.0f}" if name == "questions" else f"{value:.3f}"


def _cell(text: str) -> str:
    return "".join("\\" + char if char in "\\|*_[]<>`" else char for char in text)
