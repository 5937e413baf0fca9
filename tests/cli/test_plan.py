"""``duologue study plan`` and ``duologue study peeking`` as a user types them."""

from __future__ import annotations

import json
import os
import pty
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from duologue.cli.plan import peeking, plan
from duologue.cli.protocol_options import PlanCommand
from duologue.errors import DesignError
from tests.cli.conftest import Run
from tests.processes import DUOLOGUE, running

app = typer.Typer()
app.command(cls=PlanCommand)(plan)
app.command()(peeking)
PER_TURN = ("plan", "--protocol", "per-turn")


def said(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(
    ("flags", "turns", "paper"),
    [
        (("--mechanism", "pairwise", "--setting", "soba", "--gap", "0.2"), 210, 196),
        (("--mechanism", "pairwise", "--setting", "sata", "--gap", "0.1"), 665, 667),
        (("--mechanism", "multi", "--bots", "4", "--setting", "sata", "--gap", "0.1"), 727, 445),
        (("--mechanism", "single", "--null", "0.8", "--gap", "0.1"), 151, 126),
        (
            (
                "--mechanism",
                "multi",
                "--bots",
                "4",
                "--setting",
                "soba",
                "--gap",
                "0.1",
                "--pilot-w",
                "0.15923",
            ),
            546,
            430,
        ),
    ],
)
def test_the_designs_of_the_per_turn_paper(flags: tuple[str, ...], turns: int, paper: int) -> None:
    assert f"\n  {turns} turns\n" in said(*PER_TURN, *flags)
    assert json.loads(said(*PER_TURN, *flags, "--json"))["judgments"] == turns
    by_paper = json.loads(said(*PER_TURN, *flags, "--paper", "--json"))
    assert (by_paper["judgments"], by_paper["exact"]["judgments"]) == (paper, turns)
    assert f"\n  {paper} turns\n" in said(*PER_TURN, *flags, "--paper")


def test_several_bots_need_no_pilot_but_the_paper_does() -> None:
    flags = (*PER_TURN, "--mechanism", "multi", "--bots", "4", "--setting", "soba", "--gap", "0.1")
    assert json.loads(said(*flags, "--json"))["judgments"] == 546
    with pytest.raises(DesignError, match="--pilot-w"):
        said(*flags, "--paper")


@pytest.mark.parametrize("protocol", ["acute", "likert", "nuc"])
def test_every_other_protocol_has_a_plan(protocol: str) -> None:
    text = said("plan", "--protocol", protocol, "--pay", "0.5")
    for heading in ("The gap", "The work, in all", "What it can show", "USD, at 0.5 each"):
        assert heading in text
    assert json.loads(said("plan", "--protocol", protocol, "--json"))["format"] == "duologue.plan/1"


def test_a_figure_is_drawn_beside_the_text(tmp_path: Path) -> None:
    figure = tmp_path / "plan.svg"
    assert f"Drawn in {figure}" in said("plan", "--gap", "0.3", "--figure", str(figure))
    assert figure.stat().st_size > 1000


def test_a_simulation_checks_the_number() -> None:
    text = said("plan", "--gap", "0.5", "--simulate", "30", "--seed", "3")
    assert "30 simulated studies of 35 judgments" in text


def test_peeking_is_exact() -> None:
    found = {row["judgments"]: row["chance"] for row in json.loads(said("peeking", "--json"))["verdicts_by"]}
    assert (found[100], found[1000]) == pytest.approx((0.208, 0.393), abs=0.0005)
    text = said("peeking", "-n", "200", "--first-look", "20", "--every", "10")
    assert "0.186" in text
    assert "18.6 % instead of 5 %" in text
    assert "wrong bot" in said("peeking", "-n", "100", "--gap", "0.1")


def test_peeking_is_drawn_beside_the_text(tmp_path: Path) -> None:
    figure = tmp_path / "peeking.pdf"
    assert f"Drawn in {figure}" in said("peeking", "-n", "50", "--figure", str(figure))
    assert figure.read_bytes().startswith(b"%PDF")


def test_the_real_command_plans_a_study_and_speaks_plainly_of_mistakes(duologue: Run) -> None:
    duologue("study", "new", "s")
    assert "210 judgments" in duologue("study", "plan", "s").stdout
    done = duologue("study", "plan", "s", "--gap", "3", expect=1)
    assert done.stderr.startswith("duologue: the gap must lie between 0 and 1")
    assert duologue("study", "peeking", "--judgments", "5", expect=1).stderr.startswith(
        "duologue: the first look"
    )


def test_a_terminal_sees_progress_and_a_pipe_does_not(duologue: Run) -> None:
    arguments = ("study", "plan", "--gap", "0.6", "--simulate", "300", "--json")
    assert duologue(*arguments).stderr == ""
    ours, theirs = pty.openpty()
    with running([*DUOLOGUE, *arguments], stderr=theirs) as process:
        os.close(theirs)
        out, _ = process.communicate()
    seen = os.read(ours, 65536).decode()
    os.close(ours)
    assert "Made-up studies" in seen
    assert json.loads(out)["simulated"]["studies"] == 300
