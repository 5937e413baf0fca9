"""``duologue phrasings`` as a user types it, and a rehearsal that finds the better phrasing."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.studies.conftest import write_dialogues


@pytest.mark.slow
def test_phrasings_are_compared_from_the_first_line_to_the_winner_in_another_study(
    duologue: Run, tmp_path: Path
) -> None:
    made = duologue("phrasings", "new", "q", "--annotators", "10", "--seed", "4").stdout
    assert "duologue phrasings pair q DIALOGUE DIALOGUE" in made
    for bot in ("good", "weak"):
        write_dialogues(tmp_path / "q", bot, 2)
    assert "on engagingness" in duologue("phrasings", "pair", "q", "good-0", "weak-0").stdout
    again = json.loads(duologue("phrasings", "pair", "q", "weak-0", "good-0", "--json").stdout)
    assert again["axes"] == []
    assert "already" in duologue("phrasings", "pair", "q", "weak-0", "good-0").stdout
    clarity = {"engaging-to-talk-to": 0.5, "long-conversation": 0.5, "captivating": 1.0}
    stated = [f"--clarity={arm}={share}" for arm, share in clarity.items()]
    done = duologue("rehearse", "q", "--annotators", "36", "--seed", "2", "--json", *stated)
    record = json.loads(done.stdout)
    assert record["rules_have_held"] is True
    (axis,) = record["recoveries"]
    assert axis["ranked_first"] == "captivating"
    assert axis["clarity"]["captivating"] == 1.0

    duologue("study", "new", "other")
    chosen = json.loads(duologue("phrasings", "choose", "q/rehearsal", "--into", "other", "--json").stdout)
    assert (chosen["arm"], chosen["is_changed"]) == ("captivating", True)
    assert 'question = "captivating" ' in (tmp_path / "other" / "study.toml").read_text(encoding="utf-8")
    said = duologue("phrasings", "choose", "q/rehearsal", "--into", "other").stdout
    assert "other/study.toml asked already: Which speaker do you think is more captivating?" in said
    refused = duologue("phrasings", "choose", "q/rehearsal", expect=1).stderr
    assert "--new-revision" in refused
    own = duologue("phrasings", "choose", "q/rehearsal", "--new-revision").stdout
    assert "duologue pairings make q/rehearsal --replace" in own
