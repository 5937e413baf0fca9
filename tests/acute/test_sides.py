"""Sides that are not balanced: verdicts freed of their effect, and nothing claimed that cannot be told."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats as oracle
from scipy.special import expit, logit

from duologue.acute import Section, analyse_votes
from duologue.acute.analysis.matchups import tally_matchups, weigh_matchups
from duologue.acute.analysis.pooled import Pooling, pool_votes
from duologue.acute.analysis.sides import (
    propose_not_recorded,
    side_effect,
    sides_of_matchups,
    without_order,
)
from duologue.acute.analysis.verdicts import Rule, SectionEvidence, compare_matchups
from duologue.acute.report.methods import methods_paragraph
from duologue.acute.report.sections import not_shown
from duologue.judgments import Row, Votes, votes_from_rows
from tests.acute.test_calibration import votes_of
from tests.error_rates import STUDIES, why_refused


def section_of(rows: Sequence[Row], **options: Any) -> Section:
    (section,) = analyse_votes(votes_from_rows(rows), **options).sections
    return section


def shown(
    first: str, second: str, on_1: tuple[int, int], on_2: tuple[int, int], **cells: object
) -> list[Row]:
    """Judgments of two bots: what the first won and lost on side 1, and on side 2."""
    rows: list[Row] = []
    for side, (won, lost) in enumerate((on_1, on_2), 1):
        rows += [{"winner": first, "loser": second, "winner_side": side, **cells}] * won
        rows += [{"winner": second, "loser": first, "winner_side": 3 - side, **cells}] * lost
    return rows


EVEN = [shown(a, b, (72, 28), (28, 72)) for a, b in itertools.combinations("BCDE", 2)]
"""Matchups of equal bots, of which side 1 wins 72 of 100, with balanced sides."""


def joined(*parts: Sequence[Row]) -> list[Row]:
    return [row for part in parts for row in part]


def test_a_verdict_is_freed_of_the_side_where_a_bot_was_mostly_on_the_better_one() -> None:
    fooled = shown("A", "B", (115, 45), (11, 29))  # 72 % for side 1, which is A's in 160 of 200
    section = section_of(joined(fooled, *EVEN))
    matchup = section.matchups[0]
    assert matchup.p_exact is not None
    assert matchup.p_exact * 7 < 0.01
    assert (matchup.verdict.better, matchup.decided_by) == (None, "without order")
    assert "without the effect of the side, as A was on side 1 in 80.0 %" in matchup.verdict.sentence
    assert section.sides == (
        "Sides are not balanced in 1 of 7 matchups: A was on side 1 in 80.0 % of its judgments against B. "
        "The effect of the side is taken out of these verdicts."
    )
    better = shown("A", "B", (150, 10), (30, 10))
    assert section_of(joined(better, *EVEN)).matchups[0].verdict.better == "A"


def test_balanced_sides_change_no_number() -> None:
    rows = joined(shown("A", "B", (80, 20), (60, 40)), *EVEN)
    with_sides, without = section_of(rows), section_of([{**row, "winner_side": ""} for row in rows])
    assert [replace(one, sides=None) for one in with_sides.matchups] == list(without.matchups)
    assert with_sides.pooled == without.pooled


def test_matchups_that_are_all_a_little_uneven_are_so_together() -> None:
    one = shown("A", "B", (42, 16), (12, 30))  # A is on side 1 in 58 of 100, which can be chance
    (alone,) = section_of(one).matchups
    assert alone.sides is not None
    assert not alone.sides.is_uneven
    assert alone.decided_by == "exact"
    every = [shown(a, b, (42, 16), (12, 30)) for a, b in itertools.combinations("ABCD", 2)]
    even = shown("A", "E", (36, 14), (14, 36))
    found = {one.name: one for one in section_of(joined(*every, even)).matchups}
    assert found.pop("A__vs__E").decided_by == "exact"
    assert {one.decided_by for one in found.values()} == {"without order"}


def test_the_least_balanced_matchups_are_named_first() -> None:
    some = [shown("A", "B", (70, 0), (0, 30)), shown("C", "D", (90, 0), (0, 10))]
    assert section_of(joined(*some)).sides.startswith(
        "Sides are not balanced in 2 of 2 matchups: C was on side 1 in 90.0 % of its judgments against D "
        "and A was on side 1 in 70.0 %"
    )


def test_a_bot_that_wins_on_both_sides_is_better_whatever_the_side_does() -> None:
    (always,) = section_of(shown("A", "B", (50, 0), (10, 0))).matchups
    assert always.verdict.better == "A"
    assert always.p_value == pytest.approx(2 * 0.5**10)
    (never,) = section_of(shown("A", "B", (50, 0), (0, 10))).matchups
    assert (never.verdict.better, never.p_value) == (None, 1.0)


def test_graded_answers_are_freed_of_the_side_too() -> None:
    graded = [
        *joined(*(shown(a, b, (72, 28), (28, 72), lead="0.5") for a, b in itertools.combinations("BCD", 2))),
        *shown("A", "B", (115, 45), (11, 29), lead="0.5"),
        *shown("A", "B", (1, 0), (0, 1), lead="1"),
    ]
    matchup = section_of(graded).matchups[0]
    assert matchup.preference is not None
    assert matchup.preference > 0.56
    assert (matchup.verdict.better, matchup.decided_by) == (None, "without order")
    ties = [{"winner": "A", "loser": "B", "outcome": "tie", "winner_side": 1, "lead": "0"}] * 150
    diluted = section_of([*graded, *ties]).matchups[0]
    assert diluted.decided_by == "without order"
    assert diluted.verdict.better is None


def test_no_position_effect_is_claimed_of_a_better_bot_that_was_mostly_first() -> None:
    section = section_of(shown("A", "B", (128, 32), (32, 8)))  # A wins 80 % on either side
    assert section.position is not None
    assert section.position.p_value == pytest.approx(1.0)
    assert section.position.sentence.startswith(
        "No effect of the side was detected: compared within matchups"
    )
    always = section_of(shown("A", "B", (128, 32), (0, 0)))
    assert always.position is None
    results = analyse_votes(votes_from_rows(shown("A", "B", (128, 32), (0, 0))))
    assert "Position effect: side and bot cannot be separated." in not_shown(results, [])
    assert always.sides.endswith("An effect of the side cannot be separated from the bots there.")


def test_the_position_effect_within_matchups_is_that_between_equal_bots() -> None:
    section = section_of(joined(shown("A", "B", (115, 45), (11, 29)), *EVEN))
    assert section.position is not None
    assert section.position.share == pytest.approx(0.72, abs=0.002)
    low, high = logit(section.position.interval.limits)
    z = (low + high) / (high - low) * oracle.norm.ppf(0.975)
    assert section.position.p_value == pytest.approx(2 * oracle.norm.sf(z))
    assert section.position.sentence.startswith(
        "Side 1 wins more often than side 2: compared within matchups, side 1 would win 72.0 %"
    )
    turned = section_of(
        [
            {**row, "winner_side": 3 - int(str(row["winner_side"]))}
            for row in joined(shown("A", "B", (115, 45), (11, 29)), *EVEN)
        ]
    )
    assert turned.position is not None
    assert turned.position.sentence.startswith("Side 1 wins less often than side 2")


def test_sequential_verdicts_are_not_said_to_be_freed_of_the_side() -> None:
    section = section_of(joined(shown("A", "B", (115, 45), (11, 29)), *EVEN), stopping="sequential")
    assert section.sides.endswith("An effect of the side can favour a bot there.")


# Pooled strengths


def crowd(sides: float, *, side: float, people: int = 60) -> list[Row]:
    """Equal bots, of which the first by name is on side 1 in so many judgments, and side 1 adds so much."""
    rng = np.random.default_rng(8)
    rows: list[Row] = []
    for person, (a, b) in itertools.product(range(people), itertools.permutations("ABCDE", 2)):
        first, second = sorted((a, b))
        on_1 = bool(rng.random() < sides)
        first_won = bool(rng.random() < expit(side if on_1 else -side))
        winner, loser = (first, second) if first_won else (second, first)
        rows.append(
            {
                "winner": winner,
                "loser": loser,
                "winner_side": 1 if first_won == on_1 else 2,
                "annotator": f"p{person}",
            }
        )
    return rows


def test_pooled_strengths_are_freed_of_the_side() -> None:
    rows = crowd(0.8, side=logit(0.72))
    blind = section_of([{**row, "winner_side": ""} for row in rows], verdicts="pooled")
    freed = section_of(rows, verdicts="pooled")
    assert blind.pooled is not None
    assert freed.pooled is not None
    assert [one.bot for one in blind.pooled.leaderboard] == list("ABCDE")
    assert {one.ranks for one in freed.pooled.leaderboard} == {"1–5"}
    assert freed.pooled.decides
    assert not any(one.verdict.better for one in freed.matchups)
    assert freed.sides.endswith("The effect of the side is taken out of these verdicts.")
    said = "strengths were freed of the effect of the side"
    both = [analyse_votes(votes_from_rows(own)) for own in (rows, crowd(0.5, side=0.0))]
    assert [said in methods_paragraph(one, None) for one in both] == [True, False]


def test_bots_in_a_fixed_order_have_no_pooled_strengths() -> None:
    section = section_of(crowd(1.0, side=0.3), verdicts="pooled")
    assert section.pooled is None
    assert section.why_not_pooled == "sides are not balanced, and no matchup shows what the side does"
    assert all(one.other is None and one.verdict.why_none for one in section.matchups)


# Tables that list bots in an order of their own


def test_sides_that_are_not_recorded_are_proposed_where_a_verdict_is_refused() -> None:
    refused = section_of(joined(shown("A", "B", (80, 20), (0, 0)), shown("B", "C", (50, 50), (0, 0))))
    assert propose_not_recorded([refused]) == (
        "No verdict in 2 of 2 matchups: a bot was always on the same side. If the table lists the bots in an "
        "order of its own, and does not record on which side of the screen each was shown, say so: "
        "--shown-order not-recorded.",
    )
    nearly = section_of(joined(shown("A", "B", (80, 16), (3, 1))))
    assert propose_not_recorded([nearly])[0].startswith(
        "In 96.0 % of the rows one bot of a matchup is on the same side. If the table"
    )
    assert propose_not_recorded([section_of(shown("A", "B", (80, 10), (5, 5)))]) == ()
    assert propose_not_recorded([section_of(joined(*EVEN))]) == ()
    one = shown("A", "B", (30, 10), (0, 0), annotator="ann")  # no verdict for another reason
    alone = section_of(joined(one, *EVEN))
    assert "all 40 judgments are by one annotator" in alone.matchups[0].verdict.why_none
    assert propose_not_recorded([alone]) == ()
    few = [shown(a, b, (5, 0), (0, 0)) for a, b in itertools.combinations("BCDE", 2)]
    assert propose_not_recorded([section_of(joined(*few, *EVEN))]) == ()


# How often it errs


def equal_bots(rng: np.random.Generator, *, lean: float, each: int, is_clustered: bool) -> Votes:
    """Four equal bots; side 1 wins 72 %; the first by name is on it in so many; annotators differ in it."""
    pairs = np.array(list(itertools.combinations(range(4), 2)))
    matchup = np.repeat(np.arange(len(pairs)), each)
    on_1 = rng.random(len(matchup)) < lean
    annotator = np.arange(len(matchup))
    if is_clustered:
        annotator = np.tile(np.arange(each // 2), 2 * len(pairs))
    taste = rng.normal(0, 0.5, annotator.max() + 1)
    side = logit(0.72) + (taste[annotator] if is_clustered else 0.0)
    first_won = rng.random(len(matchup)) < expit(np.where(on_1, side, -side))
    return votes_of(pairs[matchup, 0], pairs[matchup, 1], first_won, on_1, annotator)


def errs(votes: Votes, rule: Rule) -> tuple[bool, bool]:
    """Whether any direct and any pooled verdict is given."""
    tallies = tally_matchups(votes)
    weighed, sides = weigh_matchups(votes, tallies, level=0.95), sides_of_matchups(votes, tallies)
    effect = side_effect(votes, tallies, sides)
    evidence = SectionEvidence(weighed, sides, without_order(votes, weighed, sides, effect), effect)
    (compared,) = compare_matchups([evidence], rule)
    pooling = pool_votes(votes, tallies, sides, alpha=rule.alpha)
    assert isinstance(pooling, Pooling)
    return any(one.better for one in compared), any(one.better for one in pooling.contrasts.pairs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lean", "each", "is_clustered"), [(0.57, 100, False), (0.7, 60, True), (0.9, 60, True)]
)
def test_studies_of_equal_bots_with_uneven_sides_rarely_give_any_verdict(
    lean: float, each: int, is_clustered: bool
) -> None:
    rng, rule = np.random.default_rng(2_711), Rule(alpha=0.05, gap=0.2, power=0.8)
    found = np.array(
        [errs(equal_bots(rng, lean=lean, each=each, is_clustered=is_clustered), rule) for _ in range(STUDIES)]
    )
    direct, pooled = found.sum(axis=0).tolist()
    print(f"side 1 for {lean}: direct {direct / STUDIES:.4f}, pooled {pooled / STUDIES:.4f}")  # with -s
    assert (why_refused(direct), why_refused(pooled)) == ("", "")


def test_graded_answers_with_uneven_sides_get_no_verdict_where_nothing_shows_what_the_side_does() -> None:
    """Side 1 always won, and one bot was nearly always there."""
    rows: list[Row] = [
        {
            "winner": "A" if n < 27 else "B",
            "loser": "B" if n < 27 else "A",
            "winner_side": 1,
            "lead": 0.5 if n < 5 else 1,
            "annotator": f"p{n}",
        }
        for n in range(30)
    ]
    (section,) = analyse_votes(votes_from_rows(rows)).sections
    (found,) = section.matchups
    assert found.verdict.better is None
    assert found.verdict.sentence.startswith(
        "No verdict on A and B: A was on side 1 in 90.0 %, and no matchup shows what the side does"
    )


@pytest.mark.parametrize("lead", [None, 0.5])
def test_ties_belong_to_the_balance_of_sides(lead: float | None) -> None:
    graded = {} if lead is None else {"lead": lead}
    won: list[Row] = [
        {"winner": "A", "loser": "B", "winner_side": 1, "annotator": f"p{n}", **graded} for n in range(20)
    ]
    tied: list[Row] = [
        {"winner": "B", "loser": "A", "winner_side": 1, "outcome": "tie", "annotator": f"q{n}"}
        for n in range(20)
    ]
    results = analyse_votes(votes_from_rows([*won, *tied]))
    (found,) = results.sections[0].matchups
    assert found.sides is not None
    assert (found.sides.known, found.sides.first_on_1, found.sides.is_uneven) == (40, 20, False)
    assert found.verdict.better == "A"
    assert not any("shown-order" in warning for warning in results.warnings)


def test_a_row_without_a_side_does_not_hide_that_a_bot_was_always_on_one() -> None:
    rows: list[Row] = [
        {"winner": "A" if n % 4 else "B", "loser": "B" if n % 4 else "A", "winner_side": 1 if n % 4 else 2}
        for n in range(12)
    ]
    rows.append({"winner": "A", "loser": "B", "winner_side": "not-recorded"})
    (section,) = analyse_votes(votes_from_rows(rows)).sections
    assert "A was always on side 1" in section.matchups[0].verdict.why_none


@pytest.mark.parametrize(("won_on_2", "better"), [(10, "A"), (0, None)])
def test_where_no_matchup_tells_the_side_a_bot_must_win_on_both(won_on_2: int, better: str | None) -> None:
    rows: list[Row] = [{"winner": "A", "loser": "B", "winner_side": 1}] * 30
    rows += [{"winner": "A", "loser": "B", "winner_side": 2}] * won_on_2
    rows += [{"winner": "B", "loser": "A", "winner_side": 1}] * (10 - won_on_2)
    (section,) = analyse_votes(votes_from_rows(rows)).sections
    assert section.matchups[0].verdict.better == better
    assert "only if it wins on each side" in section.sides
