"""The figure of a plan: what chance a gap has of being found, over gaps and over judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duologue.errors import ExportError
from duologue.files import replacing
from duologue.reports.drawing import FAINT, GREY, INK, LOSS, WIN
from duologue.reports.drawing.letters import noting_missing
from duologue.stats import Peeking, RateAgainstStandard
from duologue.studies import Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STYLE: dict[str, object] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.6,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.hashsalt": "duologue",
    "pdf.fonttype": 42,
}
_METADATA = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}


def draw_plan(plan: Plan, path: Path) -> Path:
    """Draw the power of a plan, over gaps and over numbers of judgments, as SVG, PDF or PNG.

    The same plan gives the same file, byte for byte.

    Raises:
        ExportError: The file cannot be written, or its ending is none of .svg, .pdf and .png.
    """

    def fill(figure: Figure) -> None:
        left, right = figure.subplots(1, 2, sharey=True)
        gap_axis = "gap from the standard" if isinstance(plan.design, RateAgainstStandard) else "gap"
        _curve(left, [(point.gap, point.power) for point in plan.over_gaps], (plan.gap, plan.achieved))
        left.set(xlabel=f"{gap_axis}, with {plan.judgments:,} {plan.unit}", ylabel="chance of finding it")
        _curve(
            right,
            [(point.judgments, point.power) for point in plan.over_judgments],
            (plan.judgments, plan.achieved),
        )
        right.set(xlabel=f"{plan.unit}, for a gap of {plan.gap:.3g}")
        for axes in (left, right):
            axes.axhline(plan.exact.power, color=LOSS, linewidth=0.8, linestyle=(0, (4, 3)))
        left.annotate(
            f"power asked for: {plan.exact.power:g}",
            (0.02, plan.exact.power),
            xycoords=("axes fraction", "data"),
            xytext=(0, 3),
            textcoords="offset points",
            color=LOSS,
            fontsize=7,
        )
        figure.suptitle(plan.title, fontsize=9, x=0.02, ha="left")

    return _save(fill, path, size=(6.8, 2.8))


def draw_peeking(result: Peeking, path: Path) -> Path:
    """Draw the chance of a verdict when results are looked at again and again.

    Raises:
        ExportError: The file cannot be written, or its ending is none of .svg, .pdf and .png.
    """

    def fill(figure: Figure) -> None:
        axes = figure.subplots()
        points = list(enumerate(result.verdicts_by.tolist()))[result.first_look :]
        _curve(axes, points, (result.judgments, result.verdicts))
        what = "false verdict" if result.gap == 0 else "verdict"
        axes.set(xlabel="judgments", ylabel=f"chance of a {what} by then")
        axes.axhline(result.alpha, color=LOSS, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_ylim(0, max(1.15 * result.verdicts, 2 * result.alpha))
        axes.set_title(
            f"Looking until p ≤ {result.alpha:g}, from {result.first_look} judgments, every {result.every}",
            fontsize=9,
            loc="left",
        )

    return _save(fill, path, size=(4.6, 2.8))


def _curve(axes: Axes, points: Sequence[tuple[float, float]], mark: tuple[float, float]) -> None:
    axes.plot([x for x, _ in points], [y for _, y in points], color=WIN, linewidth=1.4)
    axes.plot(*mark, marker="o", color=WIN, markersize=4)
    axes.annotate(f"{mark[1]:.3f}", mark, xytext=(-4, -11), textcoords="offset points", fontsize=7, color=INK)
    axes.set_ylim(0, 1.02)
    axes.set_xlim(left=0)
    axes.grid(color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _save(fill: Callable[[Figure], None], path: Path, *, size: tuple[float, float]) -> Path:
    kind = path.suffix.lower().removeprefix(".")
    if kind not in _METADATA:
        raise ExportError(
            path, "a figure is written as .svg, .pdf or .png; give the file one of these endings."
        )
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):  # type: ignore[arg-type]
        figure = Figure(figsize=size, layout="constrained")
        fill(figure)
        with replacing(path) as file, noting_missing(set()):
            figure.savefig(file, format=kind, dpi=200, metadata=_METADATA[kind])
    return path
