"""``duologue leaderboard`` as a user types it: results files, rules, and a study that people judged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from duologue.store import open_study
from tests.cli.conftest import Run
from tests.reports.judged_study import BOTS, load, make_study, prefers_earlier, sit

RULES = """
[leaderboard]
title = "Tea talk"
metrics = ["f1"]
human_round = 2
winner = "{winner}"
"""


def _entered(duologue: Run, folder: Path, bot: str, said: str) -> str:
    """The table of an entry whose results `metrics run` wrote."""
    name = f"{BOTS.index(bot)}"
    lines = [
        {"id": str(n), "dialogue": str(n), "reference": "i like tea", "prediction": said} for n in range(12)
    ]
    (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    duologue("metrics", "run", f"{name}.jsonl", "--name", bot, "--out", f"{name}.json", "--draws", "100")
    return f'[[entries]]\nteam = "{bot}"\nresults = "{name}.json"\nsubmitted = 2026-11-0{name}\n'.replace(
        "11-00", "11-09"
    )


def test_results_rules_and_a_judged_study_make_one_leaderboard(duologue: Run, tmp_path: Path) -> None:
    study = make_study(tmp_path / "judged", per_matchup=12)
    with open_study(study) as store:
        load(study, store)
        for number in range(4):
            sit(study, store, prefers_earlier(), label=f"annotator {number}")
    said = dict(zip(BOTS, ("tea", "i like rain", "i like tea"), strict=True))
    entries = "".join(_entered(duologue, tmp_path, bot, text) for bot, text in said.items())
    (tmp_path / "rules.toml").write_text(RULES.format(winner="place") + entries, encoding="utf-8")
    alone = json.loads(duologue("leaderboard", "make", "rules.toml", "--json").stdout)
    assert [one["team"] for one in alone["standings"]] == [BOTS[2], BOTS[1], BOTS[0]]
    assert [one["goes_on"] for one in alone["standings"]] == [True, True, False]
    assert alone["winner"] == BOTS[2]
    with_people = ("leaderboard", "make", "rules.toml", "--study", "judged")
    column = json.loads(duologue(*with_people, "--json").stdout)["human"][0]
    assert column.startswith("strength")
    (tmp_path / "rules.toml").write_text(RULES.format(winner=column) + entries, encoding="utf-8")
    shown = duologue(*with_people, "--out", "board").stdout
    assert f"{BOTS[1]} wins. The highest {column} wins among the teams of the human round." in shown
    assert (tmp_path / "board" / "leaderboard.html").is_file()
    found = json.loads(duologue(*with_people, "--json").stdout)
    assert found["standings"][0]["human"][column]["ranks"] is not None
    shutil.copytree(study.folder, tmp_path / "again" / "judged")
    twice = json.loads(duologue(*with_people, "--study", "again/judged", "--json").stdout)
    assert twice["human"][0] == f"{column} (judged)"
    assert f"{column} (again/judged)" in twice["human"], "studies of one name have columns of their own"
    assert found["test_set"] == json.loads((tmp_path / "0.json").read_text())["test_set"]["sha256"]


def test_a_study_without_a_number_for_each_bot_is_one_line(duologue: Run, tmp_path: Path) -> None:
    (tmp_path / "teams.csv").write_text("team,f1\na,0.5\n", encoding="utf-8")
    told = duologue("leaderboard", "make", "teams.csv", "--study", "gone", expect=1).stderr
    assert told.startswith("duologue: ")
    assert "gone" in told
