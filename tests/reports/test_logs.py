"""Statistics of logs beside human scores: tables in the form of the paper's, and the figure."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from duologue.metrics import CommonWords, log_statistics
from duologue.protocols import BotScore
from duologue.reports import RatedLogs, write_logs
from duologue.reports.logs.tables import LOG_TABLES, log_table_rows
from tests.metrics.dialogues import live_chat

TABLES = Path(__file__).parents[1] / "golden" / "convai2" / "table_6_7_8.csv"
LOGS = [
    live_chat("hi there", f"what is tea {n} ?", "well", "i like it", bot=bot, key=f"{bot}{n}")
    for bot in ("ann_1", "bob", "cy")
    for n in range(3)
]
SCORES = (BotScore("engagingness", "bob", 3.11, None, 9), BotScore("engagingness", "ann_1", 2.5, None, 9))


def rated() -> RatedLogs:
    return RatedLogs(log_statistics(LOGS, common=CommonWords.of({"i": 100}, "made up")), SCORES)


def test_the_best_liked_bot_comes_first_and_who_was_not_rated_last() -> None:
    found = rated()
    assert [bot.bot for bot in found.bots] == ["bob", "ann_1", "cy"]
    assert found.parts == ("engagingness",)
    others = RatedLogs(found.results, (BotScore("fun", "zoe", 1.0, None, 1),))
    assert (others.parts, [bot.bot for bot in others.bots]) == ((), ["ann_1", "bob", "cy"])


def test_tables_have_the_columns_of_the_paper() -> None:
    """The published columns are in ours, by the names of the golden table."""
    with TABLES.open(newline="") as file:
        published = set(next(csv.reader(file))) - {"team"}
    ours = {column for table in LOG_TABLES for row in log_table_rows(rated(), table) for column in row}
    renamed = {
        "unique_percent": "unique_bot",
        "chars_bot": "characters_bot",
        "chars_human": "characters_human",
    }
    renamed |= {f"{n}_repeats": f"{n}_own_bot" for n in ("unigram", "bigram", "trigram")}
    assert {renamed.get(name, name) for name in published} <= ours


def test_a_folder_has_every_table_and_the_figure(tmp_path: Path) -> None:
    written = {path.name: path for path in write_logs(rated(), tmp_path / "out")}
    assert set(written) == {
        "logs.json",
        "logs.csv",
        *(f"{table.name}.{kind}" for table in LOG_TABLES for kind in ("csv", "tex")),
        "figure_5_questions.svg",
        "figure_5_questions.pdf",
    }
    assert json.loads(written["logs.json"].read_text())["format"] == "duologue.log_statistics/1"
    first, second, third = csv.DictReader(written["table_6_lengths.csv"].read_text().splitlines())
    assert (first["bot"], first["engagingness"], first["words_bot"], first["words_human"]) == (
        "bob", "3.11", "3.5", "1.5",
    )  # fmt: skip
    assert (second["bot"], third["engagingness"]) == ("ann_1", "")
    table = written["figure_5_questions.tex"].read_text()
    assert r"bob & 3.11 & 50.0 & 0.0 & 50.0 & 0.0 \\" in table
    assert r"ann\_1 & 2.50" in table
    assert r"cy & --" in table
    assert written["figure_5_questions.svg"].read_text().startswith("<?xml")


def test_what_the_logs_do_not_have_is_not_written(tmp_path: Path) -> None:
    names = {path.name for path in write_logs(RatedLogs(log_statistics(LOGS)), tmp_path)}
    assert "table_7_rare_words.csv" not in names
    assert "table_6_lengths.csv" in names
    assert not any(
        "figure" in path.name for path in write_logs(RatedLogs(log_statistics([])), tmp_path / "b")
    )
