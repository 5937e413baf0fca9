"""Two measurements side by side: in words, and as JSON, CSV, LaTeX, a figure and a page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duologue.comparing.side_by_side import ComparedPair, MeasurementPair
from duologue.files import make_folder, replacing
from duologue.judgments import Row, write_table
from duologue.reports import GREY, LOSS, WIN, escape_latex, latex_table, plain_axes, write_figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.table import Table

FORMAT = "duologue.comparison/1"
_SAID = {True: "yes", False: "no", None: "–"}


def comparison_in_words(found: MeasurementPair) -> Iterator[object]:
    """What the command line prints: warnings, a table of pairs, one of places, and what it comes to."""
    yield from (f"warning: {warning}" for warning in found.warnings)
    yield f"1: {found.of[0]} ({found.estimates[0]})\n2: {found.of[1]} ({found.estimates[1]})"
    yield _pairs_table(found)
    if found.places:
        yield _places_table(found)
    yield from found.sentences
    for number, missing in enumerate(found.only_in, 1):
        if missing:
            rest = f" and {len(missing) - 10:,} more" if len(missing) > 10 else ""
            yield f"Only in {number}: {'; '.join(missing[:10])}{rest}."


def _pairs_table(found: MeasurementPair) -> Table:
    from rich.table import Table

    table = Table(title="the first bot's estimate, and who is better", title_justify="left")
    for head in ("pair", "1", "better in 1", "2", "better in 2", "same way"):
        table.add_column(head, justify="right" if head in ("1", "2") else "left")
    for one in found.pairs:
        table.add_row(f"{one.pair.first} v {one.pair.second}", *_cells(found, one))
    return table


def _cells(found: MeasurementPair, one: ComparedPair) -> Iterator[str]:
    for number in (0, 1):
        yield _estimate(one, number, found.even[number])
        yield _better(one, number)
    yield _SAID[one.is_same_way]


def _estimate(one: ComparedPair, number: int, even: float) -> str:
    estimate = one.pair.estimates[number]
    if estimate is None:
        return "–"
    return f"{estimate:.2f}" if even else f"{estimate:+.2f}"


def _better(one: ComparedPair, number: int) -> str:
    """The better bot; a dash where no difference was detected, nothing where it is not known."""
    return one.pair.better[number] or ("–" if one.is_known[number] else "")


def _places_table(found: MeasurementPair) -> Table:
    from rich.table import Table

    table = Table(title="strengths by the pairs that are in both, and places", title_justify="left")
    for head in ("bot", "1", "place in 1", "2", "place in 2", "without it"):
        table.add_column(head, justify="left" if head == "bot" else "right")
    for one in found.places:
        without = one.rank_correlation_without
        table.add_row(
            one.bot,
            f"{one.scores[0]:+.2f}",
            str(one.places[0]),
            f"{one.scores[1]:+.2f}",
            f"{one.places[1]}{' *' if one.has_moved else ''}",
            "–" if without is None else f"{without:.2f}",
        )
    return table


def write_comparison(found: MeasurementPair, folder: Path) -> tuple[Path, ...]:
    """Write a comparison into a folder, which is made when it is not there; the page comes first.

    Raises:
        ExportError: It cannot be written there.
    """
    make_folder(folder)
    figures = tuple(write_figures(found, {"comparison": draw_comparison}, folder))
    texts = {
        "comparison.html": comparison_page(found, figures[0].read_text(encoding="utf-8")),
        "comparison.json": comparison_json(found),
        "comparison.tex": comparison_latex(found),
    }
    for name, text in texts.items():
        with replacing(folder / name) as file:
            file.write(text.encode())
    write_table(comparison_rows(found), folder / "comparison.csv")
    return (*(folder / name for name in texts), folder / "comparison.csv", *figures)


def comparison_json(found: MeasurementPair) -> str:
    """All of it for a machine."""
    from pydantic import TypeAdapter

    facts = TypeAdapter(MeasurementPair).dump_json(found, indent=1).decode()
    return f'{{\n "format": "{FORMAT}",{facts[1:]}\n'


def comparison_rows(found: MeasurementPair) -> Iterator[Row]:
    """One row a pair."""
    for one in found.pairs:
        row: dict[str, Any] = {"first": one.pair.first, "second": one.pair.second}
        for number in (0, 1):
            estimate, interval = one.pair.estimates[number], one.pair.intervals[number]
            row |= {
                f"n_{number + 1}": one.pair.n[number],
                f"estimate_{number + 1}": "" if estimate is None else estimate,
                f"low_{number + 1}": interval.low if interval else "",
                f"high_{number + 1}": interval.high if interval else "",
                f"better_{number + 1}": one.pair.better[number] or "",
            }
        yield row | {"same_way": _SAID[one.is_same_way], "finds": one.finds, "verdicts": one.pair.accord}


def comparison_latex(found: MeasurementPair) -> str:
    """The table for a paper: differences in bold where a measurement finds them."""
    one, other = map(escape_latex, found.of)
    lines = [rf"Bots & {one} & {other} & same way \\", r"\midrule"]
    for pair in found.pairs:
        cells = [escape_latex(f"{pair.pair.first} v {pair.pair.second}")]
        for number in (0, 1):
            text = _estimate(pair, number, found.even[number]).replace("–", "--")
            cells.append(rf"\textbf{{{text}}}" if pair.pair.better[number] else text)
        lines.append(" & ".join([*cells, _SAID[pair.is_same_way].replace("–", "--")]) + r" \\")
    estimates = f"{escape_latex(found.estimates[0])} and {escape_latex(found.estimates[1])}"
    caption = f"{one} and {other}: {estimates} of the first bot; bold where a difference was detected."
    return latex_table("lrrl", lines, caption=caption, label="tab:comparison")


_COLOURS = {
    "both": WIN,
    "first only": LOSS,
    "second only": "#6a4c93",
    "neither": GREY,
    "not known": "#1d2430",
}


def draw_comparison(found: MeasurementPair) -> Figure:
    """Every pair by its two estimates, coloured by which of the two finds a difference."""
    figure, axes = plain_axes(4.4, 3.6)
    for number, line in enumerate((axes.axvline, axes.axhline)):
        line(found.even[number], color=GREY, linewidth=0.6, linestyle=(0, (3, 2)))
    names = {"first only": f"only {found.of[0]}", "second only": f"only {found.of[1]}"}
    for kind, colour in _COLOURS.items():
        points = [
            one.pair.estimates for one in found.pairs if one.finds == kind and None not in one.pair.estimates
        ]
        if points:
            label = f"{names.get(kind, kind)} ({len(points):,})"
            across, up = zip(*points, strict=True)
            axes.scatter(across, up, s=16, color=colour, label=label, linewidths=0)
    axes.set_xlabel(f"{found.of[0]}: {found.estimates[0]}")
    axes.set_ylabel(f"{found.of[1]}: {found.estimates[1]}")
    axes.legend(title="a difference is found by", frameon=False, fontsize=7, title_fontsize=7)
    return figure


def comparison_page(found: MeasurementPair, figure: str) -> str:
    """The page: one file, with the figure in it."""
    drawn = figure[figure.index("<svg") :]
    page = _templates().get_template("side_by_side.html")
    return str(page.render(found=found, figure=drawn, cells=_cells))


@cache
def _templates() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder = Path(__file__).parent / "templates"
    return Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
