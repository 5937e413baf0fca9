"""A study that declares pooled verdicts, from its file to its report: everything that it writes says so."""

import csv
import json
import re
from pathlib import Path

from duologue.demo import make_demo
from tests.cli.conftest import Run


def test_a_study_with_pooled_verdicts_says_so_in_all_that_it_writes(duologue: Run, tmp_path: Path) -> None:
    study = make_demo(tmp_path / "s").study
    path = study.folder / "study.toml"
    text = path.read_text(encoding="utf-8").replace('# verdicts = "pooled"', 'verdicts = "pooled"')
    path.write_text(re.sub(r"(?m)^gap = \S+", "gap = 0.2", text), encoding="utf-8")
    assert "Verdicts: pooled" in duologue("study", "show", "s").stdout
    true = ("companion:small-talk=0.55", "companion:parrot=0.86", "small-talk:parrot=0.84")
    stated = [word for one in true for word in ("--prefer", one)]
    duologue("rehearse", "s", "--annotators", "30", "--seed", "3", "--concurrency", "1", *stated)

    said = duologue("analyse", "s/rehearsal").stdout
    assert "The verdicts rest on strengths pooled over all matchups" in said
    assert "seconds, hours and pay say nothing about people" in said
    results = json.loads((tmp_path / "s/rehearsal/results.json").read_text(encoding="utf-8"))
    (section,) = results["sections"]
    assert section["pooled"]["decides"]
    assert section["pooled"]["annotators"] >= 20
    assert {matchup["decided_by"] for matchup in section["matchups"]} == {"pooled"}
    assert {matchup["other"]["kind"] for matchup in section["matchups"]} == {"direct"}
    open_question = next(one for one in section["matchups"] if one["verdict"]["better"] is None)
    assert {open_question["first"], open_question["second"]} == {"companion", "small-talk"}
    assert open_question["verdict"]["more_for_gap"] > 0
    assert "more judgments over all matchups" in open_question["verdict"]["sentence"]
    assert open_question["verdict"]["sentence"] in said

    report = tmp_path / "s/rehearsal/report"
    methods = " ".join((report / "methods.txt").read_text(encoding="utf-8").split())
    assert "As declared beforehand, the verdicts rest on the pooled strengths" in methods
    assert "at the strictest step of comparing all pairs, clusters as so far" in methods
    page = (report / "report.html").read_text(encoding="utf-8")
    assert "The verdicts rest on strengths pooled over all matchups" in page
    with (report / "tables/leaderboard.csv").open(encoding="utf-8") as file:
        board = list(csv.DictReader(file))
    assert {row["bot"] for row in board[:2]} == {"companion", "small-talk"}
    with (report / "tables/matchups.csv").open(encoding="utf-8") as file:
        assert {row["decided_by"] for row in csv.DictReader(file)} == {"pooled"}
