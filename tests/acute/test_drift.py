"""Pairings asked again: drift is found where it is, and what was asked again counts in no verdict."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.acute import analyse_votes
from duologue.acute.analysis.results import DriftCheck, Section
from duologue.judgments import Row, votes_from_rows
from duologue.protocols import Addendum, say_p
from duologue.stats import rate_difference
from tests.strategies import thorough


def rows(
    won: int, n: int, *, pair: tuple[str, str] = ("A", "B"), who: str = "w", again: bool = False
) -> list[Row]:
    """Judgments of a matchup by as many annotators, each of dialogues of its own."""
    first, second = pair
    return [
        {
            "winner": first if number < won else second,
            "loser": second if number < won else first,
            "annotator": f"{who}{number}",
            "winner_dialogue": f"{first if number < won else second}{who}{number}",
            "loser_dialogue": f"{second if number < won else first}{who}{number}",
            "excluded": "asked-again-1" if again else "",
        }
        for number in range(n)
    ]


def section_of(*parts: Sequence[Row], addenda: tuple[Addendum, ...] = ()) -> Section:
    (section,) = analyse_votes(votes_from_rows(chain.from_iterable(parts)), addenda=addenda).sections
    return section


def drift_of(*parts: Sequence[Row], addenda: tuple[Addendum, ...] = ()) -> DriftCheck:
    (check,) = section_of(*parts, addenda=addenda).drift
    return check


def addendum(number: int = 1, *groups: tuple[str, str]) -> Addendum:
    return Addendum(number, f"2026-0{number}-02T10:00:00+00:00", "f" * 64, ("new",), groups, 10, 5, ())


def test_a_change_is_found_and_does_not_count() -> None:
    section = section_of(rows(40, 60), rows(5, 30, who="x", again=True), addenda=(addendum(),))
    (check,) = section.drift
    assert (section.n, section.matchups[0].wins_first) == (60, 40)
    (one,) = check.matchups
    assert one.then == pytest.approx(2 / 3)
    assert one.again == pytest.approx(1 / 6)
    assert one.again_n == 30
    assert one.difference == pytest.approx(-0.5)
    assert one.p_value == pytest.approx(rate_difference(5, 30, 40, 60, method="fisher").p_value)
    assert one.has_drifted
    assert check.sentence == (
        "30 judgments of 1 earlier matchup were asked again (addendum 1, 2026-01-02), and count in no "
        "verdict: judgments have drifted in 1 of 1 matchup: A against B (A won 66.7 % before and 16.7 % when "
        f"asked again, Holm-adjusted {say_p(one.p_adjusted or 1.0)})."
    )
    assert any("Judgments have drifted since" in said for said in section.warnings)


def test_no_change_says_how_large_a_change_may_have_been_missed() -> None:
    section = section_of(rows(40, 60), rows(20, 30, who="x", again=True))
    (check,) = section.drift
    interval = check.matchups[0].interval
    assert interval is not None
    assert check.sentence == (
        "30 judgments of 1 earlier matchup were asked again (addendum 1), and count in no verdict: no drift "
        "was detected (smallest Holm-adjusted p = 1.000). This does not prove that there is none: the "
        f"intervals include changes of {100 * max(map(abs, interval.limits)):.0f} points."
    )
    assert not any("drifted" in said for said in section.warnings)


def test_a_few_answers_that_happen_to_be_alike_are_no_drift() -> None:
    """All variance would then come from the earlier judgments: the exact test sees how few they are."""
    (one,) = drift_of(rows(36, 60), rows(4, 4, who="x", again=True)).matchups
    assert one.p_value == pytest.approx(rate_difference(4, 4, 36, 60, method="fisher").p_value)
    assert not one.has_drifted


def test_where_all_answers_are_alike_the_exact_test_decides_alone() -> None:
    (one,) = drift_of(rows(60, 60), rows(0, 20, who="x", again=True)).matchups
    assert one.p_value == pytest.approx(rate_difference(0, 20, 60, 60, method="fisher").p_value)
    assert one.has_drifted


def test_correlated_judgments_need_more_to_show_a_change() -> None:
    plain = drift_of(rows(40, 60), rows(8, 24, who="x", again=True)).matchups[0]
    few = [
        {**row, "annotator": f"x{number // 8}"} for number, row in enumerate(rows(8, 24, who="x", again=True))
    ]
    clustered = drift_of(rows(40, 60), few).matchups[0]
    assert plain.p_value is not None
    assert clustered.p_value is not None
    assert clustered.p_value > plain.p_value


@pytest.mark.parametrize(
    "again",
    [
        rows(1, 1, who="x", again=True),
        [{**row, "annotator": "x"} for row in rows(2, 9, who="x", again=True)],
        [{**row, "outcome": "tie"} for row in rows(3, 3, who="x", again=True)],
    ],
    ids=["one judgment", "one annotator", "ties only"],
)
def test_too_little_is_not_tested(again: list[Row]) -> None:
    check = drift_of(rows(40, 60), again)
    assert check.matchups[0].p_value is None
    assert check.sentence.endswith("too few so far to test for drift.")
    assert not check.has_drifted


def test_one_judgment_is_spoken_of_as_one() -> None:
    check = drift_of(rows(40, 60), rows(1, 1, who="x", again=True))
    assert check.sentence.startswith(
        "1 judgment of 1 earlier matchup was asked again (addendum 1), and counts in"
    )


def test_a_matchup_without_earlier_judgments_has_no_drift() -> None:
    section = section_of(rows(40, 60), rows(5, 9, pair=("A", "C"), who="x", again=True))
    assert section.drift == ()


def test_blank_annotators_are_each_their_own() -> None:
    blank = [{**row, "annotator": ""} for row in rows(5, 30, who="x", again=True)]
    (one,) = drift_of(rows(40, 60), blank).matchups
    assert one.has_drifted


def test_other_rules_that_begin_alike_are_no_drift_check() -> None:
    assert (
        section_of(rows(40, 60), [{**row, "excluded": "asked-again-x"} for row in rows(5, 30, who="x")]).drift
        == ()
    )


def test_graded_answers_are_compared_by_their_scores() -> None:
    before = [{**row, "lead": 1} for row in rows(40, 60)]
    again = [{**row, "lead": 0.5} for row in rows(10, 30, who="x", again=True)]
    tie = [{**row, "lead": 0, "outcome": "tie"} for row in rows(2, 2, who="y", again=True)]
    (one,) = drift_of(before, again, tie).matchups
    assert one.again_n == 32
    assert one.again == pytest.approx((10 * 0.75 + 20 * 0.25 + 2 * 0.5) / 32)


def test_holm_is_over_all_matchups_that_one_addendum_asks_again() -> None:
    check = drift_of(
        rows(40, 60),
        rows(30, 60, pair=("A", "C"), who="u"),
        rows(12, 30, who="x", again=True),
        rows(15, 30, pair=("A", "C"), who="y", again=True),
    )
    first, second = check.matchups
    assert first.p_value is not None
    assert first.p_adjusted == pytest.approx(2 * first.p_value)
    assert second.p_adjusted == pytest.approx(1.0)


@given(won=st.integers(0, 30), again=st.integers(0, 12))
@thorough(10)
def test_swapping_the_two_bots_mirrors_the_change(won: int, again: int) -> None:
    one = drift_of(rows(won, 30), rows(again, 12, who="x", again=True)).matchups[0]
    swapped = [
        {
            **row,
            "winner": {"A": "B", "B": "A"}[str(row["winner"])],
            "loser": {"A": "B", "B": "A"}[str(row["loser"])],
        }
        for row in (*rows(won, 30), *rows(again, 12, who="x", again=True))
    ]
    other = drift_of(swapped).matchups[0]
    assert one.p_value == pytest.approx(other.p_value)
    assert one.difference == pytest.approx(-(other.difference or 0.0))


@pytest.mark.slow
def test_drift_is_claimed_at_most_about_as_often_as_alpha_says() -> None:
    rng = np.random.default_rng(20)
    found = 0
    for _ in range(400):
        parts = [rows(int(rng.binomial(110, 0.6)), 110, pair=pair, who=f"{pair[1]}w") for pair in PAIRS]
        parts += [
            rows(int(rng.binomial(22, 0.6)), 22, pair=pair, who=f"{pair[1]}x", again=True) for pair in PAIRS
        ]
        found += drift_of(*parts).has_drifted
    assert found / 400 <= 0.065


PAIRS = (("A", "B"), ("A", "C"), ("B", "C"))


def test_a_verdict_that_one_family_of_all_would_change_is_named() -> None:
    others = [rows(50, 100, pair=pair, who=f"{pair[1]}u") for pair in PAIRS[1:]]
    planned = dict.fromkeys(PAIRS, 100)
    added = (addendum(1, ("A", "B")),)
    clear, close = (
        analyse_votes(votes_from_rows(chain(rows(won, 100), *others)), planned=planned, addenda=added)
        for won in (90, 61)
    )
    assert [(one.family, one.addendum) for one in close.sections[0].matchups] == [(1, 1), (2, 0), (2, 0)]
    assert "The 1 matchup added with new on 2026-01-02 (addendum 1) is a family of its own" in close.family
    assert clear.family.endswith("In one family of all 3 matchups every verdict would be the same.")
    assert close.family.endswith("1 verdict would change: A and B, no difference detected.")


def test_of_many_verdicts_that_would_change_some_are_named() -> None:
    pairs = [("A", other) for other in "BCDEFGH"]
    parts = [rows(61, 100, pair=pair, who=pair[1]) for pair in pairs]
    added = tuple(addendum(number, pair) for number, pair in enumerate(pairs, 1))
    found = analyse_votes(votes_from_rows(chain.from_iterable(parts)), addenda=added)
    assert "7 verdicts would change: A and B, no difference detected;" in found.family
    assert found.family.endswith("; and 2 more.")


def test_arms_without_judgments_share_the_error_rate_of_their_own_addendum() -> None:
    votes = votes_from_rows([{**row, "arm": "one"} for row in rows(62, 100)])
    found = analyse_votes(
        votes, planned=dict.fromkeys(PAIRS, 100), arms=("one", "two"), addenda=(addendum(1, ("B", "C")),)
    )
    assert [one.family for one in found.sections[0].matchups] == [4, 4, 2]


def test_pooled_verdicts_on_earlier_pairs_are_said_to_be_new_tests() -> None:
    rng = np.random.default_rng(3)
    parts: list[Row] = []
    for annotator in range(60):
        for first, second in PAIRS:
            parts += rows(int(rng.random() < 0.55), 1, pair=(first, second), who=f"{annotator}-")
    found = analyse_votes(votes_from_rows(parts), verdicts="pooled", addenda=(addendum(1, ("B", "C")),))
    assert found.sections[0].pooled is not None
    assert found.sections[0].pooled.decides
    assert "Since new came later, pooled verdicts on earlier pairs are new tests" in found.family
    assert "10.0 % or less" in found.family
    plain = analyse_votes(votes_from_rows(parts), verdicts="pooled")
    assert "came later" not in plain.family
