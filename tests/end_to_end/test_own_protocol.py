"""A protocol that no line of ours knows, installed as a package of its own: from a new study to its report.

What annotators see of it in a browser is in ``tests/browser/test_own_protocol.py``;
``docs/your-own-protocol.md`` tells of it.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import Commands
from tests.own_protocol import PACKAGE, installed, paths_to
from tests.processes import FROM_NOTHING, finished

ROOT = Path(__file__).parent.parent.parent
Run = Callable[..., str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own-protocol")


@pytest.fixture(scope="module")
def run(folder: Path, quick_duologue: Path) -> Run:
    """A command typed where the package is installed; what it printed."""
    commands = Commands(quick_duologue, installed(folder / "lib"))

    def typed(*arguments: str, expect: int = 0) -> str:
        done = commands.finished(list(arguments), folder=folder)
        assert done.returncode == expect, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout + done.stderr

    return typed


@pytest.fixture(scope="module")
def rehearsal(run: Run) -> dict[str, object]:
    """The study, made, filled and rehearsed; what the rehearsal says."""
    run("study", "new", "threes", "--protocol", "best-worst", "--seed", "5")
    run("dialogues", "self-chat", "threes", "-n", "60", "--exchanges", "3")
    text = run(
        *("rehearse", "threes", "--annotators", "30", "--seed", "2", "--concurrency", "1", "--json"),
        *("--strength", "companion=5", "--strength", "small-talk=2", "--strength", "parrot=0"),
    )
    found: dict[str, object] = json.loads(text)
    return found


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "threes" / "rehearsal" / "report" / "tables" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.usefixtures("rehearsal")
def test_the_study_is_checked_described_and_planned(run: Run) -> None:
    assert "the study can be served" in run("study", "check", "threes")
    shown = run("study", "show", "threes")
    assert "companion, parrot, small-talk: 40 threes" in shown
    assert "A ranking that is not finished is handed out again" in shown
    assert "273 annotators per pair for each of 3 matchups" in run("study", "plan", "threes")


def test_its_own_planning_option_sizes_its_studies_and_no_others(run: Run) -> None:
    shown = " ".join(run("study", "plan", "--help").split())
    assert "--ties <float> Of best-worst: share of annotators who place neither of two bots above" in shown
    assert "--protocol <acute|best-worst|likert|nuc|per-turn>" in shown
    planned = json.loads(run("study", "plan", "--protocol", "best-worst", "--ties", "0.25", "--json"))
    assert (planned["judgments"], planned["request"]["ties"]) == (154, 0.25)
    assert json.loads(run("study", "plan", "--protocol", "best-worst", "--json"))["judgments"] == 210
    assert run("study", "plan", "--ties", "0.25", expect=1) == (
        "duologue: --ties 0.25 belongs to --protocol best-worst, not to acute.\n"
    )
    assert "--ties 2.0: give a number less than 1" in run(
        "study", "plan", "--protocol", "best-worst", "--ties", "2", expect=1
    )


@pytest.mark.usefixtures("rehearsal")
def test_a_study_of_it_is_planned_with_its_own_option(run: Run) -> None:
    said = run("study", "plan", "threes", "--ties", "0.25")
    assert "75% of annotators are expected to place one above the other" in said


def test_simulated_annotators_walk_its_pages_and_find_what_is_true(rehearsal: dict[str, object]) -> None:
    assert rehearsal["rules_have_held"] is True
    recoveries = rehearsal["recoveries"]
    assert isinstance(recoveries, list)
    assert len(recoveries) == 3
    assert "wrong" not in {one["finding"] for one in recoveries}
    assert recoveries[0]["finding"] == "recovered"
    assert recoveries[0]["true_strengths"] == [5.0, 0.0]


def test_its_own_screening_rule_excludes_at_once_and_only_those_who_skim(
    rehearsal: dict[str, object],
) -> None:
    kinds = rehearsal["kinds"]
    assert isinstance(kinds, list)
    excluded = {one["kind"]: one["excluded"] for one in kinds}
    assert excluded.pop("skims")["check-failed"] > 0
    assert set(map(str, excluded.values())) == {"{}"}


def test_its_table_its_test_and_its_figure_are_in_the_report(
    run: Run, folder: Path, rehearsal: dict[str, object]
) -> None:
    run("report", "threes/rehearsal")
    report = folder / "threes" / "rehearsal" / "report"
    page = (report / "report.html").read_text(encoding="utf-8")
    assert "companion is better than parrot" in page
    assert "judgments are excluded by check-failed" in page
    assert "exact sign test over annotators" in (report / "methods.txt").read_text(encoding="utf-8")
    scores = {row["bot"]: float(row["score"]) for row in table(folder, "scores.csv")}
    assert scores["companion"] > scores["small-talk"] > scores["parrot"]
    pair = table(folder, "pairs.csv")[0]
    assert (pair["first"], pair["second"], pair["better"]) == ("companion", "parrot", "companion")
    assert (report / "tables" / "pairs.tex").is_file()
    assert (report / "figures" / "best-worst.svg").stat().st_size > 1_000


def test_ties_are_answers_and_a_table_of_it_is_read_without_a_study(
    run: Run, folder: Path, rehearsal: dict[str, object]
) -> None:
    run("judgments", "export", "threes/rehearsal", "--out", "judgments.csv")
    with (folder / "judgments.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    counted = [row for row in rows if not row["excluded"]]
    given = Counter(row["annotator"] for row in counted)
    ties = [row for row in counted if not row["best"] and given[row["annotator"]] >= 2]
    assert ties
    said = run("analyse", "judgments.csv", "--format", "best-worst", "--least", "2")
    assert f"{len(ties)} without a best one" in said
    assert "companion is better than parrot" in said
    (folder / "other.csv").write_text("prompt,answer\na,b\n", encoding="utf-8")
    assert "bots,best,worst,annotator" in run("analyse", "other.csv", expect=1)


@pytest.mark.usefixtures("rehearsal")
def test_a_mistake_in_it_is_one_line(run: Run) -> None:
    assert "--strength oracle=1: the bots" in run("rehearse", "threes", "--strength", "oracle=1", expect=1)
    said = run("rehearse", "threes", "--mean", "parrot=1", expect=1)
    assert said == "duologue: --mean: this is a study of the protocol best-worst; say --strength A=1.5.\n"


@pytest.mark.slow
def test_checks_repeats_and_deadlines_are_rehearsed_and_reported(run: Run, folder: Path) -> None:
    run("study", "new", "checked", "--protocol", "best-worst", "--seed", "5")
    study = folder / "checked" / "study.toml"
    text = study.read_text(encoding="utf-8")
    text = text.replace("max_judgments = 2", "max_judgments = 4\nrepeat = 0.5\nrepeat_after = 2")
    text = text.replace("items_per_triple = 40 ", "attention = 6\nitems_per_triple = 50 ")
    text = text.replace("repeat = 0.5", "repeat = 0.5\nsitting_minutes = 30\nitem_seconds = 600")
    study.write_text(text + '\n[attention]\nper_sitting = 2\non_fail = "exclude"\n', encoding="utf-8")
    run("dialogues", "self-chat", "checked", "-n", "56", "--exchanges", "2")
    assert "role attention" not in run("study", "check", "checked")
    assert "Attention checks: 2 in a sitting" in run("study", "show", "checked")
    text = run("rehearse", "checked", "--annotators", "14", "--seed", "2", "--concurrency", "1", "--json")
    assert json.loads(text)["rules_have_held"] is True
    run("judgments", "export", "checked/rehearsal", "--out", "checked.csv")
    with (folder / "checked.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kinds = Counter((row["excluded"] == "attention-check", row["occasion"]) for row in rows)
    assert {(False, "1"), (True, "1"), (False, "2")} == set(kinds)
    assert {row["excluded"] for row in rows if row["occasion"] == "2"} == {"repeat"}
    people = json.loads(run("annotators", "list", "checked/rehearsal", "--json"))
    failed = {one["id"] for one in people if one["attention_right"] < one["attention_asked"] / 2}
    assert failed
    assert all(row["excluded"] for row in rows if row["annotator"] in failed)
    run("report", "checked/rehearsal")
    page = (folder / "checked" / "rehearsal" / "report" / "report.html").read_text(encoding="utf-8")
    assert "Agreement of annotators with themselves" in page
    assert "attention checks" in page.lower()


def from_nothing(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """A command that looks for kinds of bots where the package is: that is done once in a process."""
    return finished([*FROM_NOTHING, *command.split()], folder=folder, variables=paths_to(folder / "lib"))


def test_a_kind_of_bot_of_somebodys_answers_as_ours_do(run: Run, folder: Path) -> None:
    run("study", "new", "echoes", "--protocol", "best-worst", "--seed", "5")
    study = folder / "echoes" / "study.toml"
    text = study.read_text(encoding="utf-8")
    study.write_text(
        text.replace('name = "parrot"\nkind = "builtin"', 'name = "parrot"\nkind = "echo"\nbefore = "So: "'),
        encoding="utf-8",
    )
    begun = from_nothing(folder, "dialogues self-chat echoes -n 2 --exchanges 2")
    assert begun.returncode == 0, begun.stderr
    assert "So: " in (folder / "echoes" / "dialogues" / "parrot.jsonl").read_text(encoding="utf-8")
    study.write_text(text.replace('kind = "builtin"', 'kind = "oracle"', 1), encoding="utf-8")
    told = from_nothing(folder, "study check echoes")
    assert told.returncode == 1
    assert "the kinds of bots are: builtin, command, echo" in told.stdout + told.stderr


def test_no_line_of_ours_knows_it() -> None:
    ours = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.html"), *(ROOT / "src").rglob("*.js")]
    named = re.compile(r"best.?worst", re.IGNORECASE)
    assert [path.name for path in ours if named.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(("page", "least"), [("your-own-protocol.md", 6), ("bots.md", 1)])
def test_the_pages_show_the_code_as_it_is(page: str, least: int) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    files = [
        path.read_text(encoding="utf-8")
        for path in PACKAGE.rglob("*")
        if path.suffix in {".py", ".toml", ".js"}
    ]
    blocks = re.findall(r"^```(?:python|toml|js)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    own = [block.strip("\n") for block in blocks if any(block.strip("\n") in file for file in files)]
    assert len(own) >= least
    assert page == "bots.md" or len(own) == len(blocks)
