"""A competition from empty files to the page of the leaderboard: docs/competition.md, typed as it stands."""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.processes import finished

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "competition.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
TEAMS = ["echo", "retrieval", "counting", "constant"]


@dataclass(frozen=True)
class Competition:
    """What the commands of the page left behind, and how more are typed."""

    folder: Path
    printed: str
    path: str

    def typed(self, script: str) -> Any:
        """What a shell made of a script in the folder of the organiser."""
        variables = {"PATH": self.path, "COLUMNS": "100", "DUOLOGUE_SOURCE": str(ROOT)}
        return finished(["bash", "-euc", script], folder=self.folder, variables=variables)

    def board(self, name: str) -> Any:
        """A leaderboard as JSON."""
        return json.loads((self.folder / name / "leaderboard.json").read_text(encoding="utf-8"))

    def page(self, name: str) -> str:
        """A leaderboard as a page, without what is not seen."""
        html = (self.folder / name / "leaderboard.html").read_text(encoding="utf-8")
        body = html.partition("<body>")[2]
        return " ".join(re.sub(r"<[^>]*>", " ", body).split())


@pytest.fixture(scope="module")
def competition(tmp_path_factory: pytest.TempPathFactory, quick_duologue: Path) -> Competition:
    folder = tmp_path_factory.mktemp("competition")
    path = os.pathsep.join((str(quick_duologue), str(Path(sys.executable).parent), os.environ["PATH"]))
    done = Competition(folder, "", path).typed("\n".join(BLOCKS))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return Competition(folder, done.stdout, path)


def test_teams_are_ranked_by_their_best_metric_on_the_hidden_set(competition: Competition) -> None:
    standings = competition.board("automatic")["standings"]
    assert [one["team"] for one in standings] == TEAMS
    assert [one["place"]["place"] for one in standings] == [1, 1, 3, 4]
    entered = {one["team"]: set(one["place"]["ranks"]) for one in standings}
    assert entered["counting"] == {"perplexity-word", "f1"}
    assert entered["retrieval"] == entered["echo"] == {"hits@1", "f1"}
    assert entered["constant"] == {"f1"}


def test_the_best_three_go_on_and_nobody_has_won_before_people_were_asked(competition: Competition) -> None:
    board = competition.board("automatic")
    assert [one["goes_on"] for one in board["standings"]] == [True, True, True, False]
    assert board["winner"] is None
    assert "No winner yet." in competition.page("automatic")


def test_what_was_entered_too_early_does_not_count_and_is_named_on_the_page(competition: Competition) -> None:
    said = "constant: the entry of 2026-11-20 does not count: it came within 30 days of that of 2026-11-05."
    assert said in competition.printed
    assert said in competition.page("result")
    constant = next(one for one in competition.board("result")["standings"] if one["team"] == "constant")
    assert constant["entry"]["submitted"] == "2026-11-05"


def test_sources_and_ensembles_stand_on_the_page(competition: Competition) -> None:
    page = competition.page("result")
    assert "retrieval submitted 2026-11-01; trained on PersonaChat, our own chats; an ensemble" in page
    assert "counting submitted 2026-11-03; trained on PersonaChat; no ensemble" in page


def test_people_decide_who_wins_by_the_stated_rule(competition: Competition) -> None:
    board = competition.board("result")
    enjoyment = {one["team"]: one["human"].get("enjoyment", {}).get("value") for one in board["standings"]}
    assert enjoyment["constant"] is None
    best = max((value, team) for team, value in enjoyment.items() if value is not None)[1]
    assert board["winner"] == best == "retrieval"
    page = competition.page("result")
    assert "retrieval wins. The highest enjoyment wins among the teams of the human round." in page
    assert "persona detection" in page
    with (competition.folder / "result" / "leaderboard.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["team"] for row in rows] == TEAMS


def test_results_on_another_test_set_are_refused(competition: Competition) -> None:
    other = (
        "sed 's/number/thing/g' hidden.txt > other.txt\n"
        "duologue metrics run contest --bot echo --test other.txt --distractors 4 --out other.json\n"
        "sed 's/echo.json/other.json/' rules.toml > changed.toml\n"
    )
    assert competition.typed(other).returncode == 0
    refused = competition.typed("duologue leaderboard make changed.toml")
    assert refused.returncode == 1
    assert "The test sets differ" in refused.stderr


def test_a_human_round_that_nobody_has_judged_yet_is_said(competition: Competition) -> None:
    refused = competition.typed("duologue leaderboard make rules.toml --study final")
    assert refused.returncode == 1
    assert "final: this study has no judgments yet" in refused.stderr
