from __future__ import annotations

import pytest

from duologue.acute import analyse_votes
from duologue.judgments import votes_from_rows
from duologue.rehearsal.preferences import Preferences
from duologue.rehearsal.recovery import Finding, recoveries


def votes(wins: int, losses: int) -> list[dict[str, str]]:
    return [{"winner": "a", "loser": "b"}] * wins + [{"winner": "b", "loser": "a"}] * losses


@pytest.mark.parametrize(
    ("wins", "losses", "true_rate", "finding"),
    [
        (40, 10, 0.8, "recovered"),
        (10, 40, 0.8, "wrong"),
        (28, 22, 0.8, "undecided"),
        (10, 40, 0.2, "recovered"),
        (26, 24, 0.5, "recovered"),
        (40, 10, 0.5, "wrong"),
    ],
)
def test_a_verdict_is_held_against_the_truth(
    wins: int, losses: int, true_rate: float, finding: Finding
) -> None:
    results = analyse_votes(votes_from_rows(votes(wins, losses)))
    (recovery,) = recoveries(results, Preferences({}, {("a", "b"): true_rate}))
    assert recovery.finding == finding
    assert recovery.win_rate == pytest.approx(wins / (wins + losses))
    assert recovery.judgments == wins + losses
    assert recovery.sentence
