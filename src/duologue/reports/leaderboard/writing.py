"""A leaderboard as page, JSON, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from duologue.files import make_folder, replacing
from duologue.judgments import Row, write_table
from duologue.protocols import BotScore, say_correlation
from duologue.reports.latex import escape_latex, latex_table
from duologue.reports.leaderboard.board import Leaderboard, Standing
from duologue.reports.leaderboard.entries import Value

FORMAT = "duologue.leaderboard/1"


def write_leaderboard(board: Leaderboard, folder: Path) -> tuple[Path, ...]:
    """Write a leaderboard into a folder, which is made when it is not there; the page comes first.

    Raises:
        ExportError: It cannot be written there.
    """
    make_folder(folder)
    texts = {
        "leaderboard.html": leaderboard_page(board),
        "leaderboard.json": leaderboard_json(board),
        "leaderboard.tex": leaderboard_latex(board),
    }
    for name, text in texts.items():
        with replacing(folder / name) as file:
            file.write(text.encode())
    write_table(leaderboard_rows(board), folder / "leaderboard.csv")
    return tuple(folder / name for name in (*texts, "leaderboard.csv"))


def leaderboard_json(board: Leaderboard) -> str:
    """All of it for a machine."""
    from pydantic import TypeAdapter

    facts = TypeAdapter(Leaderboard).dump_json(board, indent=1).decode()
    return f'{{\n "format": "{FORMAT}",{facts[1:]}\n'


def leaderboard_rows(board: Leaderboard) -> Iterator[Row]:
    """One row a team: place, numbers with their intervals, declarations, human scores."""
    for one in board.standings:
        row: dict[str, Any] = {"place": one.place.place if one.place else "", "team": one.team}
        row["best_rank"] = one.place.best if one.place else ""
        for metric in board.metrics:
            row |= _cells(metric, one.entry.values.get(metric) if one.entry else None)
            row[f"{metric}_rank"] = one.place.ranks.get(metric, "") if one.place else ""
        for column in board.human:
            score = one.human.get(column)
            row |= _cells(column, _as_value(score) if score else None)
            row[f"{column}_ranks"] = _ranks(score)
        row["human_round"] = "yes" if one.goes_on else ""
        row["submitted"] = str(one.entry.submitted or "") if one.entry else ""
        row["sources"] = "; ".join(one.entry.sources) if one.entry else ""
        row["ensemble"] = _yes_no(one.entry.ensemble) if one.entry else ""
        yield row


def _cells(name: str, value: Value | None) -> dict[str, Any]:
    def shown(number: float | None) -> float | str:
        return "" if number is None else number

    if value is None:
        return {name: "", f"{name}_low": "", f"{name}_high": ""}
    return {name: value.value, f"{name}_low": shown(value.low), f"{name}_high": shown(value.high)}


def _as_value(score: BotScore) -> Value:
    limits = score.interval.limits if score.interval else (None, None)
    return Value(score.value, *limits)


def _ranks(score: BotScore | None) -> str:
    if score is None or score.ranks is None:
        return ""
    best, worst = score.ranks
    return f"{best}" if best == worst else f"{best}–{worst}"


def _yes_no(declared: bool | None) -> str:
    return "" if declared is None else "yes" if declared else "no"


def leaderboard_latex(board: Leaderboard) -> str:
    """The table for a paper."""
    names = ["", "Team", *board.metrics, *board.human]
    lines = [" & ".join(map(escape_latex, names)) + r" \\", r"\midrule"]
    for one in board.standings:
        cells = [str(one.place.place) if one.place else "", escape_latex(one.team)]
        cells += [_number(one.entry.values.get(metric) if one.entry else None) for metric in board.metrics]
        cells += [
            _number(_as_value(one.human[column])) if column in one.human else "--" for column in board.human
        ]
        lines.append(" & ".join(cells) + r" \\")
    columns = "rl" + "r" * (len(names) - 2)
    return latex_table(
        columns, lines, caption=f"{escape_latex(board.title)}. {board.rule}", label="tab:leaderboard"
    )


def _number(value: Value | None) -> str:
    return "--" if value is None else short(value.value)


def short(number: float) -> str:
    """A number as a table shows it: four significant digits.

    Example:
        >>> short(16.2834), short(0.1951), short(0.0)
        ('16.28', '0.1951', '0')
    """
    return f"{number:.4g}"


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    interval: str = ""
    rank: str = ""
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class _TeamLine:
    standing: Standing
    cells: tuple[_Cell | None, ...]
    orders: tuple[int, ...]
    """Where the line stands when the page is ordered by each column."""
    declared: str


def leaderboard_page(board: Leaderboard) -> str:
    """The page: one file, sortable by every column without a script."""
    columns = (*board.metrics, *board.human)
    orders = [_order(board, column) for column in columns]
    lines = [
        _TeamLine(
            one,
            tuple(_cell(board, one, column) for column in columns),
            tuple(order[one.team] for order in orders),
            _declared(one),
        )
        for one in board.standings
    ]
    page = _templates().get_template("teams.html")
    words = {"short": short, "say_correlation": say_correlation}
    return str(page.render(board=board, columns=columns, lines=lines, **words))


def _value(one: Standing, column: str) -> Value | None:
    if one.entry is not None and column in one.entry.values:
        return one.entry.values[column]
    return _as_value(one.human[column]) if column in one.human else None


def _order(board: Leaderboard, column: str) -> dict[str, int]:
    """The place of every team by one column; those that have no number in it come last."""
    sign = 1 if column in board.lower else -1
    found = {one.team: value for one in board.standings if (value := _value(one, column)) is not None}
    ordered = sorted(found, key=lambda team: sign * found[team].value)
    rest = [one.team for one in board.standings if one.team not in found]
    return {team: place for place, team in enumerate([*ordered, *rest])}


def _cell(board: Leaderboard, one: Standing, column: str) -> _Cell | None:
    value = _value(one, column)
    if value is None:
        return None
    interval = ""
    if value.low is not None and value.high is not None:
        interval = f"{short(value.low)} – {short(value.high)}"
    rank = one.place.ranks.get(column) if one.place else None
    score = one.human.get(column)
    said = f"{rank}." if rank is not None else f"rank {_ranks(score)}" if _ranks(score) else ""
    return _Cell(short(value.value), interval, said, rank == 1)


def _declared(one: Standing) -> str:
    if one.entry is None:
        return ""
    parts = [f"submitted {one.entry.submitted}" if one.entry.submitted else ""]
    parts.append("trained on " + ", ".join(one.entry.sources) if one.entry.sources else "")
    parts.append({True: "an ensemble", False: "no ensemble", None: ""}[one.entry.ensemble])
    return "; ".join(filter(None, parts))


@cache
def _templates() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder = Path(__file__).parent.parent / "templates"
    return Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
