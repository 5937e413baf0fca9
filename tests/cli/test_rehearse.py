"""``duologue rehearse`` as a user types it: a real server in a process of its own."""

import json
from pathlib import Path

from duologue.demo import make_demo
from tests.cli.conftest import Run


def test_a_study_is_rehearsed_and_the_verdict_is_the_planted_one(duologue: Run, tmp_path: Path) -> None:
    make_demo(tmp_path / "s")
    done = duologue(
        "rehearse", "s", "--annotators", "40", "--seed", "3", "--prefer", "companion:parrot=1", "--json"
    )
    assert done.stderr == ""
    record = json.loads(done.stdout)
    assert record["rehearsal"] is True
    assert record["rules_have_held"] is True
    found = {(one["first"], one["second"]): one for one in record["recoveries"]}
    assert found["companion", "parrot"]["true_rate"] == 1
    assert found["companion", "parrot"]["finding"] == "recovered"
    assert Path(tmp_path / record["report"]).is_file()
    silent = next(one for one in record["kinds"] if one["kind"] == "never-a-reason")
    assert silent["excluded"] == {"no-reason": silent["judgments"]}


def test_a_mistake_is_one_line(duologue: Run, tmp_path: Path) -> None:
    make_demo(tmp_path / "s")
    for arguments, words in (
        (("rehearse", "nowhere"), "nowhere: there is no study.toml here"),
        (("rehearse", "s", "--prefer", "companion:parrot"), "--prefer companion:parrot: expected"),
        (
            ("rehearse", "s", "--mean", "companion=3"),
            "--mean: this is a study of the protocol acute; say --prefer A:B=0.7",
        ),
        (("rehearse", "s", "--order", "companion"), "--order companion: expected bots"),
    ):
        said = duologue(*arguments, expect=1).stderr
        assert words in said
        assert len(said.splitlines()) == 1
