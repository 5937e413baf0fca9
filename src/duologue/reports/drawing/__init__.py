"""How every figure looks, and how it is saved: the same drawing gives the same bytes, whatever the day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from duologue.files import make_folder, replacing
from duologue.reports.drawing.letters import PLAIN_FONT, fonts_with, noting_missing, report_missing
from duologue.reports.flow import ExclusionStep

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Section = TypeVar("Section")

INK, GREY, FAINT = "#1d2430", "#6b7280", "#d7dae0"
WIN, LOSS = "#0f6f78", "#b4561b"

_STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": [PLAIN_FONT],
    "font.size": 8,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "axes.labelcolor": INK,
    "svg.hashsalt": "duologue",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}


def write_figures(
    section: Section,
    drawings: Mapping[str, Callable[[Section], Figure | None]],
    folder: Path,
    *,
    ending: str = "",
) -> Iterator[Path]:
    """Draw every figure there are data for, each as SVG and PDF.

    Args:
        section: What is drawn.
        drawings: The figures by the names of their files; one gives None when there is nothing to draw.
        folder: Where to; made when it is not there.
        ending: What is put behind the names.
    """
    make_folder(folder)
    for name, draw in drawings.items():
        yield from _drawn(lambda draw=draw: draw(section), folder / f"{name}{ending}")  # type: ignore[misc]


def _drawn(draw: Callable[[], Figure | None], stem: Path) -> tuple[Path, ...]:
    """Draw a figure and save it; once more with other fonts, where a name has letters that ours lacks."""
    missing: set[str] = set()
    with noting_missing(missing):
        written = _styled(draw, stem)
    if fonts := fonts_with(missing) if missing else ():
        still: set[str] = set()
        try:
            with noting_missing(still):
                written = _styled(draw, stem, fonts=fonts)
            missing = still
        except (RuntimeError, ValueError, KeyError):  # a font that cannot be put into a file: boxes, then
            with noting_missing(missing):
                written = _styled(draw, stem)
    report_missing(missing)
    return written


def _styled(draw: Callable[[], Figure | None], stem: Path, *, fonts: Sequence[str] = ()) -> tuple[Path, ...]:
    import matplotlib as mpl

    style = {**_STYLE, "font.family": [PLAIN_FONT, *fonts]} if fonts else _STYLE
    with mpl.rc_context(style):  # type: ignore[arg-type]  # its keys are a literal of all settings
        figure = draw()
        return () if figure is None else tuple(_saved(figure, stem))


_ONLY_FOR_SETTING_TEXT = ("GDEF", "GPOS", "GSUB", "MATH", "kern")
"""Tables of a font that a PDF does not use: its letters have their places already."""


@contextmanager
def _fonts_without_layout() -> Iterator[None]:
    """Leave these tables out of embedded fonts: cutting them down takes a third of a report's time."""
    from fontTools.subset import Options

    usual = Options._drop_tables_default
    Options._drop_tables_default = [*usual, *_ONLY_FOR_SETTING_TEXT]
    try:
        yield
    finally:
        Options._drop_tables_default = usual


def _saved(figure: Figure, stem: Path) -> Iterator[Path]:
    for kind, metadata in (("svg", {"Date": None}), ("pdf", {"CreationDate": None})):
        path = stem.with_name(f"{stem.name}.{kind}")
        with replacing(path) as file, _fonts_without_layout():
            figure.savefig(file, format=kind, metadata=metadata, bbox_inches="tight", pad_inches=0.04)
        yield path


def plain_axes(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty drawing of so many inches, with axes on the left and below only."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    axes = figure.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def note_right(axes: Axes, number: float, text: str, *, weight: str = "normal") -> None:
    """Write something to the right of the axes, on the height of a row."""
    place = ("axes fraction", "data")
    axes.annotate(text, (1.015, number), xycoords=place, va="center", fontsize=7, weight=weight)


def draw_steps(steps: Sequence[ExclusionStep]) -> Figure:
    """From all judgments collected down to those that count."""
    figure, axes = plain_axes(4.6, 0.36 * len(steps) + 0.2)
    whole = max(1, steps[0].left)
    for number, step in enumerate(steps):
        axes.barh(number, step.left / whole, height=0.62, color=WIN, alpha=0.85 if step.is_total else 0.25)
        if step.taken:
            axes.barh(number, step.taken / whole, left=step.left / whole, height=0.62, color=LOSS, alpha=0.75)
        note_right(axes, number, f"{step.left:,}" if step.is_total else f"−{step.taken:,}")
    axes.set(xlim=(0, 1), ylim=(len(steps) - 0.5, -0.5), xticks=[])
    axes.set_yticks(range(len(steps)), [step.name for step in steps])
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def draw_progress(moments: Sequence[tuple[str, int]]) -> Figure | None:
    """Judgments that count, over time; None when there is no time to speak of."""
    if len(moments) < 2:
        return None
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num

    figure, axes = plain_axes(5.2, 2.0)
    times = [datetime.fromisoformat(at) for at, _ in moments]
    counts = [judgments for _, judgments in moments]
    axes.step(date2num(times), counts, where="post", color=WIN, linewidth=1.4)  # type: ignore[no-untyped-call]
    locator = AutoDateLocator()  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]
    axes.set(ylabel="judgments that count", ylim=(0, None))
    axes.grid(axis="y", color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    return figure
