"""How every figure looks, and how it is saved: the same drawing gives the same bytes, whatever the day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Section = TypeVar("Section")

INK, GREY, FAINT = "#1d2430", "#6b7280", "#d7dae0"
WIN, LOSS = "#0f6f78", "#b4561b"

_STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
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
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in drawings.items():
        with _styled():
            figure = draw(section)
            if figure is not None:
                yield from _saved(figure, folder / f"{name}{ending}")


@contextmanager
def _styled() -> Iterator[None]:
    import matplotlib as mpl

    with mpl.rc_context(_STYLE):  # type: ignore[arg-type]
        yield


def _saved(figure: Figure, stem: Path) -> Iterator[Path]:
    for kind, metadata in (("svg", {"Date": None}), ("pdf", {"CreationDate": None})):
        path = stem.with_name(f"{stem.name}.{kind}")
        figure.savefig(path, format=kind, metadata=metadata, bbox_inches="tight", pad_inches=0.04)
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
