"""A verdict is the same sentence, with the same numbers, wherever it is read."""

from __future__ import annotations

import csv
import html
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from duologue.judgments import write_table
from duologue.per_turn import write_turns
from duologue.reports import analyse_file, report_page
from tests.cli.conftest import Run
from tests.nuc.test_report import TWO
from tests.per_turn.test_report import study_rows
from tests.reports.rated import rated_rows


def votes(folder: Path) -> Path:
    rows = [
        {"winner": winner, "loser": loser, "annotator": f"a{number % 9}", "seconds": 20 + number}
        for number in range(36)
        for winner, loser in (
            ("mint", "sage"),
            ("mint", "rue"),
            ("sage", "rue") if number % 2 else ("rue", "sage"),
        )
    ]
    return table(folder, rows)


def table(folder: Path, rows: Any) -> Path:
    write_table(rows, folder / "judgments.csv")
    return folder / "judgments.csv"


def turns(folder: Path) -> Path:
    write_turns((row for row in study_rows() if row.arm in ("pm-random", "mm-soba")), folder / "turns.jsonl")
    return folder / "turns.jsonl"


MAKERS: dict[str, tuple[Callable[[Path], Path], str, int]] = {
    "acute": (votes, "matchups.csv", 3),
    "likert": (lambda folder: table(folder, rated_rows()), "pairs.csv", 6),
    "per-turn": (turns, "comparisons.csv", 2),
    "nuc": (lambda folder: table(folder, TWO), "cohort_pairs.csv", 2),
}
"""A table of each protocol, the CSV file of its verdicts, and how many there are."""


def sentences(found: object) -> Iterator[str]:
    """What results say in words."""
    if isinstance(found, dict):
        for name, value in found.items():
            if name == "sentence" and value:
                yield value
            else:
                yield from sentences(value)
    elif isinstance(found, list):
        for value in found:
            yield from sentences(value)


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("protocol", MAKERS)
def test_json_terminal_page_and_tables_give_the_same_verdicts(
    protocol: str, duologue: Run, tmp_path: Path
) -> None:
    make, verdicts_file, verdicts = MAKERS[protocol]
    path = make(tmp_path)
    told = words(duologue("analyse", path, "--out", "found").stdout)
    printed = duologue("analyse", path, "--json").stdout
    kept = json.loads((tmp_path / "found" / "results.json").read_text(encoding="utf-8"))
    assert kept["protocol"] == protocol
    assert {**kept, "provenance": None} == {**json.loads(printed), "provenance": None}
    results = analyse_file(path).results
    assert {**kept, "provenance": None} == {**json.loads(results.to_json()), "provenance": None}
    page = words(html.unescape(re.sub(r"<[^>]+>", "", report_page(results))))
    assert "onboarding" not in page, "nobody was onboarded"
    said = [words(sentence) for sentence in sentences(kept)]
    assert [sentence for sentence in said if sentence not in told] == []
    assert [sentence for sentence in said if sentence not in page] == []
    with (tmp_path / "found" / "tables" / verdicts_file).open(newline="", encoding="utf-8") as file:
        in_table = [words(row["verdict"]) for row in csv.DictReader(file)]
    assert len(in_table) == verdicts
    assert [sentence for sentence in in_table if sentence not in said] == []
