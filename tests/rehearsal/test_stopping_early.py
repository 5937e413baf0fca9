"""Who fails as many attention checks as the study says stops there, and the study is full all the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from duologue.rehearsal import rehearse
from duologue.store import fetch_annotators, fetch_judgments, open_store
from duologue.studies import load_study
from tests.server.studies import make_study

pytestmark = pytest.mark.usefixtures("forked_servers")


def test_who_fails_checks_is_stopped_and_the_study_is_full(tmp_path: Path) -> None:
    study = make_study(
        tmp_path / "study",
        per_matchup=120,
        onboarding=0,
        attention=8,
        rest=(
            "[onboarding]\nenabled = false\n[annotators]\nmax_judgments = 6\n"
            '[attention]\nper_sitting = 3\nstop_after = 1\nmin_checks = 1\non_fail = "exclude"\n'
        ),
    )
    found = rehearse(study.folder, annotators=40, seed=5, with_report=False)
    assert found.counted == found.wanted == 120
    assert found.rules_have_held
    with open_store(load_study(found.folder).database) as store:
        people = {one.id: one for one in store.run(fetch_annotators())}
        given = list(store.stream(fetch_judgments()))
    stopped = {key: one for key, one in people.items() if one.ending == "stopped"}
    assert any(one.label.startswith("fails-onboarding") for one in stopped.values())  # others fail by chance
    for key, one in people.items():
        wrong = Counter(judgment.is_correct for judgment in given if judgment.annotator == key)[False]
        assert (wrong == 1) == (key in stopped)
        assert wrong <= 1
        if key in stopped:
            assert one.code
            assert one.finished_at is not None
    assert not any(one.label.startswith("careful") for one in stopped.values())
