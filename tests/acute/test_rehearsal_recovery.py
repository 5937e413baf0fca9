from __future__ import annotations

import pytest

from duologue.acute import analyse_votes
from duologue.acute.rehearsal.preferences import Preferences
from duologue.acute.rehearsal.recovery import MatchupRecovery, drift_recoveries, recoveries
from duologue.judgments import votes_from_rows
from duologue.rehearsal import Finding


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


def test_the_truly_better_bot_is_named_first() -> None:
    found = MatchupRecovery("main", "a", "b", 0.2, 0.25, 40, "recovered", "b is better than a.")
    nothing = MatchupRecovery("fun", "a", "b", 0.2, None, 0, "undecided", "no judgments.", "arm fun")
    assert found.in_words().said == "b over a, true rate 80 %, estimated 75 %"
    assert nothing.in_words().said == "b over a (arm fun), true rate 80 %, nobody judged"
    assert found.in_words().record["win_rate"] == 0.25


@pytest.mark.parametrize(
    ("again", "true_again", "finding"),
    [(2, 0.2, "recovered"), (18, 0.2, "undecided"), (2, 0.8, "wrong")],
)
def test_drift_is_held_against_the_truth(again: int, true_again: float, finding: Finding) -> None:
    asked = [{**row, "excluded": "asked-again-1"} for row in votes(again, 24 - again)]
    rows = [{**row, "annotator": f"w{place}"} for place, row in enumerate([*votes(40, 10), *asked])]
    truth = Preferences({}, {("a", "b"): 0.8}, drifted={("a", "b"): true_again})
    (found,) = drift_recoveries(analyse_votes(votes_from_rows(rows)), truth)
    assert found.finding == finding
    assert f"drift of a over b, true rate 80 % before and {100 * true_again:.0f} % asked again" in found.said
    assert found.record["judgments"] == 24


def test_what_did_not_drift_is_not_spoken_of() -> None:
    tie = {"winner": "a", "loser": "b", "outcome": "tie", "excluded": "asked-again-1", "arm": "fun"}
    rows = [*({**row, "arm": "fun"} for row in votes(40, 10)), tie]
    results = analyse_votes(votes_from_rows(rows))
    assert list(drift_recoveries(results, Preferences({}, {("a", "b"): 0.8}))) == []
    (found,) = drift_recoveries(results, Preferences({}, {("a", "b"): 0.8}, drifted={("a", "b"): 0.1}))
    assert found.said == (
        "drift of a over b (arm fun), true rate 80 % before and 10 % asked again, nobody was asked again"
    )
