"""The figures of the last evaluations as a small picture."""

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

DRAWN: Final = ("nDCG@10", "R@10", "RR@10", "strategy_accuracy")


def plot_history(history: Sequence[Mapping[str, Any]], title: str) -> bytes:
    """PNG bytes: one line per figure over the evaluations, oldest first."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(6, 3), dpi=100, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for name in DRAWN:
        values = [point.get(name) for point in history]
        if any(value is not None for value in values):
            axes.plot(
                range(1, len(values) + 1), [float("nan") if v is None else v for v in values], marker="o", label=name
            )
    axes.set_ylim(0, 1.05)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("evaluation")
    axes.set_title(title)
    if axes.lines:
        axes.legend(fontsize="small", loc="lower left")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()
