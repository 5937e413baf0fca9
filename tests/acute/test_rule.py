"""Verdicts by one rule: never against their interval, the same from either side, whatever is excluded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as oracle

from duologue.acute import (
    AcuteResults,
    AcuteSettings,
    MatchupResult,
    PooledResult,
    Section,
    analyse_votes,
)
from duologue.judgments import Row, votes_from_rows
from duologue.stats import clustered_mean
from tests.strategies import thorough

OTHER = {"A": "B", "B": "A", "C": "D", "D": "C"}


def analysed(rows: Sequence[Row], **options: Any) -> AcuteResults:
    return analyse_votes(votes_from_rows(rows), **options)


def section_of(rows: Sequence[Row], **options: Any) -> Section:
    (section,) = analysed(rows, **options).sections
    return section


def judged(winner: str, loser: str, times: int = 1, **columns: object) -> list[Row]:
    return [{"winner": winner, "loser": loser, **columns}] * times


@st.composite
def tables(draw: st.DrawFn) -> list[Row]:
    """Judgments of up to four bots with all that can occur in a table: ids, blanks, sides, ties, grades."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    has_annotators, has_dialogues, has_sides, is_graded = draw(st.tuples(*[st.booleans()] * 4))
    lean = draw(st.sampled_from([0.5, 0.75, 1.0]))
    rows: list[Row] = []
    for _ in range(draw(st.integers(1, 120))):
        first, second = (
            rng.choice(4, 2, replace=False) if rng.random() < 0.2 else sorted(rng.choice(3, 2, False))
        )
        names = ["ABCD"[first], "ABCD"[second]]
        winner, loser = names if rng.random() < lean else names[::-1]
        row: dict[str, object] = {"winner": winner, "loser": loser}
        if rng.random() < 0.1:
            row["outcome"] = "tie"
        elif is_graded:
            row["lead"] = rng.choice(["0.5", "1"])
        if has_annotators and rng.random() < 0.9:
            row["annotator"] = f"a{rng.integers(0, 30)}"
        if has_dialogues:
            row["winner_dialogue"] = f"{winner}{rng.integers(0, 40)}"
            row["loser_dialogue"] = f"{loser}{rng.integers(0, 40)}"
        if has_sides and rng.random() < 0.95:
            row["winner_side"] = int(rng.integers(1, 3))
        rows.append(row)
    return rows


@thorough(10)
@given(tables(), st.sampled_from([0.05, 0.2]))
def test_a_verdict_and_its_interval_never_contradict_each_other(rows: list[Row], alpha: float) -> None:
    for matchup in section_of(rows, alpha=alpha).matchups:
        if matchup.interval is None:
            assert matchup.verdict.better is None
            assert matchup.verdict.why_none
            continue
        assert (0.5 not in matchup.interval) == (matchup.verdict.better is not None)
        if matchup.verdict.better is not None:
            assert (matchup.interval.low > 0.5) == (matchup.verdict.better == matchup.first)
        assert not (matchup.verdict.better and matchup.verdict.is_equivalent)
        assert " but " not in matchup.verdict.sentence


@thorough(10)
@given(tables())
def test_swapping_the_names_of_the_bots_mirrors_everything(rows: list[Row]) -> None:
    turned: list[Row] = [
        {**row, "winner": OTHER[str(row["winner"])], "loser": OTHER[str(row["loser"])]} for row in rows
    ]
    ours = {frozenset((m.first, m.second)): m for m in section_of(rows).matchups}
    for theirs in section_of(turned).matchups:
        one = ours[frozenset((OTHER[theirs.first], OTHER[theirs.second]))]
        is_turned = OTHER[theirs.first] != one.first
        assert theirs.verdict.better == (OTHER[one.verdict.better] if one.verdict.better else None)
        assert theirs.p_value == pytest.approx(one.p_value)
        assert theirs.verdict.equivalence_p == pytest.approx(one.verdict.equivalence_p)
        if one.interval is not None and theirs.interval is not None:
            low, high = one.interval.limits
            expected = (1 - high, 1 - low) if is_turned else (low, high)
            assert theirs.interval.limits == pytest.approx(expected, abs=1e-9)


def rounded(pooled: PooledResult | None) -> object:
    """A leaderboard up to rounding: sums over clusters may come in another order."""
    if pooled is None:
        return None
    return [
        (one.bot, one.ranks, one.n, round(one.strength, 8), round(one.low, 8), round(one.high, 8))
        for one in pooled.leaderboard
    ]


@thorough(10)
@given(tables(), tables())
def test_an_excluded_row_changes_nothing_but_its_own_counts(rows: list[Row], aside: list[Row]) -> None:
    excluded: list[Row] = [{**row, "excluded": "late"} for row in aside]
    plain, beside = section_of(rows), section_of([*rows, *excluded])
    assert beside.exclusions.rules[0].judgments == len(aside)
    untouched = replace(
        beside,
        exclusions=plain.exclusions,
        warnings=plain.warnings,
        time=plain.time,
        matchups=plain.matchups,
        pooled=plain.pooled,
        robustness=plain.robustness,
    )
    assert rounded(beside.pooled) == rounded(plain.pooled)
    assert untouched == plain
    for one, two in zip(plain.matchups, beside.matchups, strict=True):
        assert (one.verdict.better, one.n, one.ties, one.sides) == (
            two.verdict.better,
            two.n,
            two.ties,
            two.sides,
        )
        assert one.p_value == pytest.approx(two.p_value)
        if one.interval is not None and two.interval is not None:
            assert one.interval.limits == pytest.approx(two.interval.limits)


# Graded answers


def flipped_p(totals: Sequence[float]) -> float:
    """How many of all ways to flip signs lead as far from 0, one cluster after the other."""
    ways = np.array([1.0])
    for size in (round(2 * abs(total)) for total in totals):
        ways = (np.append(ways, np.zeros(2 * size)) + np.append(np.zeros(2 * size), ways)) / 2
    middle, seen = (len(ways) - 1) // 2, round(2 * abs(sum(totals)))
    return float(ways[abs(np.arange(len(ways)) - middle) >= seen].sum())


def test_graded_answers_are_tested_by_their_scores() -> None:
    rows = (
        judged("A", "B", 20, lead="1") + judged("A", "B", 15, lead="0.5") + judged("B", "A", 18, lead="0.5")
    )
    rows += judged("B", "A", 4, lead="1") + judged("A", "B", 5, outcome="tie")
    (matchup,) = section_of(rows).matchups
    scores = [1.0] * 20 + [0.5] * 15 + [-0.5] * 18 + [-1.0] * 4 + [0.0] * 5
    expected = oracle.ttest_1samp(scores, 0)
    span = expected.confidence_interval()
    assert flipped_p(scores) > expected.pvalue  # the larger one decides
    assert matchup.decided_by == "sign flips"
    assert matchup.p_value == pytest.approx(flipped_p(scores))
    assert matchup.preference == pytest.approx((1 + np.mean(scores)) / 2)
    assert matchup.interval is not None
    low, high = matchup.interval.limits
    assert low <= (1 + span.low) / 2 < (1 + span.high) / 2 <= high
    assert matchup.interval.limits == pytest.approx(((1 + span.low) / 2, (1 + span.high) / 2), abs=0.005)
    assert matchup.verdict.sentence.startswith(
        "A is better than B (p = 0.013 by sign flips, mean preference 61.7 %"
    )


def test_graded_answers_of_few_annotators_are_clustered() -> None:
    rng = np.random.default_rng(5)
    scores = rng.choice([-1.0, -0.5, 0.5, 1.0], 60)
    annotators = rng.integers(0, 9, 60)
    rows: list[Row] = [
        {
            "winner": "A" if score > 0 else "B",
            "loser": "B" if score > 0 else "A",
            "lead": str(abs(score)),
            "annotator": f"a{annotator}",
        }
        for score, annotator in zip(scores.tolist(), annotators.tolist(), strict=True)
    ]
    (matchup,) = section_of(rows).matchups
    expected = clustered_mean(scores, [annotators], bounds=(-1, 1))
    totals = np.bincount(annotators, weights=scores).tolist()
    assert matchup.p_value == pytest.approx(max(expected.p_value, flipped_p(totals)))
    assert matchup.interval is not None
    assert matchup.interval.low <= (1 + expected.interval.low) / 2 + 1e-9


def test_one_graded_answer_cannot_be_tested() -> None:
    (matchup,) = section_of(judged("A", "B", 1, lead="0.5")).matchups
    assert matchup.verdict.sentence == "No verdict on A and B: one judgment cannot be tested (A won 1, B 0)."


def test_graded_ties_alone_are_no_difference() -> None:
    rows = (
        judged("A", "B", 30, outcome="tie") + judged("A", "C", 3, lead="0.5") + judged("C", "A", 3, lead="1")
    )
    matchup = section_of(rows).matchups[0]
    assert (matchup.n, matchup.ties, matchup.preference) == (0, 30, 0.5)
    assert matchup.p_value == 1.0
    assert matchup.verdict.better is None


# Families


def _arms(*names: str) -> list[Row]:
    return [row for name in names for row in judged("A", "B", 66, arm=name) + judged("B", "A", 44, arm=name)]


def test_several_arms_are_one_family() -> None:
    results = analysed(_arms("one", "two", "three", "four"))
    assert {m.family for section in results.sections for m in section.matchups} == {4}
    assert not any(m.verdict.better for section in results.sections for m in section.matchups)
    assert results.family == (
        "All 4 matchups of 4 sections are one family (Holm): the chance of calling any two equal bots "
        "different is 5.0 % or less. With a family for each section it would be up to 20.0 %."
    )


def test_the_primary_arm_is_a_family_of_its_own() -> None:
    results = analysed(_arms("one", "two"), arms=("one", "two", "three"), primary="two")
    assert [section.matchups[0].verdict.better for section in results.sections] == ["A", "A"]
    assert [any("secondary" in w for w in section.warnings) for section in results.sections] == [True, False]
    assert results.family.startswith("The primary arm is two: ")
    assert results.primary == "two"
    early = analysed(_arms("one"), arms=("one", "two"), primary="two")
    assert early.sections[0].matchups[0].family == 1


def test_arms_without_judgments_yet_share_the_error_rate() -> None:
    planned = {("A", "B"): 110}
    results = analysed(_arms("one"), arms=("one", "two"), planned=planned)
    assert results.sections[0].matchups[0].family == 2
    assert results.sections[0].matchups[0].verdict.better is None
    sequential = analysed(_arms("one"), arms=("one", "two"), planned=planned, stopping="sequential")
    found = sequential.sections[0].matchups[0].sequential
    assert found is not None
    assert found.family == 2


def test_one_section_says_what_its_family_is_and_one_matchup_needs_none() -> None:
    rows = judged("A", "B", 5) + judged("A", "C", 5) + judged("B", "C", 5)
    assert analysed(rows).family == (
        "The 3 matchups are one family (Holm): the chance of calling any two equal bots different is 5.0 % "
        "or less. Without that it would be up to 15.0 %."
    )
    assert analysed(judged("A", "B", 5)).family == ""


def test_a_primary_arm_must_be_one_of_the_arms() -> None:
    arms = [{"name": "one"}, {"name": "two", "question": "humanness"}]
    assert AcuteSettings.model_validate({"questions": arms, "primary": "two"}).primary == "two"
    with pytest.raises(ValueError, match=r"primary: 'six' is not the name .* \(there are: one, two\)"):
        AcuteSettings.model_validate({"questions": arms, "primary": "six"})
    with pytest.raises(ValueError, match="there are: none"):
        AcuteSettings.model_validate({"primary": "six"})


# The order of the bots


def _clear(better: str, worse: str) -> list[Row]:
    return judged(better, worse, 60) + judged(worse, better, 10)


def _even(one: str, other: str) -> list[Row]:
    return judged(one, other, 30) + judged(other, one, 30)


def order_of(*rows: list[Row], **options: Any) -> str:
    return section_of([row for part in rows for row in part], **options).order.sentence


def test_bots_that_are_all_separated_are_ordered() -> None:
    sentence = order_of(_clear("A", "B"), _clear("A", "C"), _clear("B", "C"))
    assert sentence == "A > B > C: every bot is separated from the next."


def test_bots_that_are_not_separated_stand_in_one_group() -> None:
    sentence = order_of(_clear("A", "B"), _clear("A", "C"), _even("B", "C"))
    assert sentence == "A > {B, C}. Bots in braces are not all separated from each other."


def test_a_bot_against_others_that_never_met_says_nothing_of_those() -> None:
    sentence = order_of(*(_clear("new", other) for other in "abcd"))
    assert sentence == "new > {a, b, c, d}. Bots in braces were never compared with each other."
    assert order_of(*(_even("new", other) for other in "abcd")) == "No order: no two bots are separated."


def test_no_order_stands_above_verdicts_that_deny_it() -> None:
    rows = [judged(one, other, 12) + judged(other, one, 9) for one, other in ("AB", "AC", "BC")]
    assert order_of(*rows) == "No order: no two bots are separated."


def test_a_chain_of_verdicts_orders_bots_that_never_met() -> None:
    assert order_of(_clear("A", "B"), _clear("B", "C")) == "A > B > C: every bot is separated from the next."


def test_verdicts_that_overlap_are_no_order_of_all() -> None:
    rows = (_clear("A", "C"), _even("A", "B"), _even("B", "C"))
    assert order_of(*rows) == "Not all bots can be ranked: some are not separated from each other."


def test_cycles_of_verdicts_are_named() -> None:
    section = section_of([*_clear("A", "B"), *_clear("B", "C"), *_clear("C", "A")])
    assert section.order.cycles == (("A", "B", "C"),)
    assert section.order.sentence == (
        "Not all bots can be ranked. The verdicts contain cycles: A > B > C > A."
    )
    longer = section_of([*_clear("A", "B"), *_clear("B", "C"), *_clear("C", "D"), *_clear("D", "A")])
    assert longer.order.groups == (("A", "B", "C", "D"),)


def test_equal_records_get_equal_strengths_and_ranks() -> None:
    section = section_of([*_even("A", "B"), *_even("B", "C"), *_even("A", "C")])
    assert section.pooled is not None
    assert section.pooled.sentence.startswith(
        "By pooled strengths, which do not decide, every bot may be the first."
    )
    placed = [(one.bot, one.ranks, round(one.strength, 9) + 0.0) for one in section.pooled.leaderboard]
    assert placed == [("A", "1–3", 0.0), ("B", "1–3", 0.0), ("C", "1–3", 0.0)]


def matchup_of(rows: Sequence[Row]) -> MatchupResult:
    return section_of(rows).matchups[0]


def test_a_blank_annotator_is_an_annotator_of_its_own() -> None:
    blank = judged("A", "B", 20) + judged("B", "A", 10)
    known = judged("A", "B", 4, annotator="x") + judged("B", "A", 1, annotator="y")
    clustered = matchup_of(blank + known).clustered
    assert clustered is not None
    assert clustered.clusters == {"annotator": 30 + 2}


@thorough(10)
@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_a_pairing_stands_for_its_two_dialogues(seed: int, has_annotators: bool, is_graded: bool) -> None:
    rng = np.random.default_rng(seed)
    named: list[Row] = []
    for number in range(90):
        pairing = int(rng.integers(0, 12))
        winner, loser = ("A", "B") if rng.random() < 0.7 else ("B", "A")
        row: dict[str, object] = {
            "winner": winner,
            "loser": loser,
            "annotator": f"p{number % 30}" if has_annotators else "",
            "winner_dialogue": f"{winner}{pairing}",
            "loser_dialogue": f"{loser}{pairing}",
            "pairing": f"AB{pairing}",
        }
        named.append({**row, "lead": "0.5"} if is_graded and number % 2 else row)
    blank = [{**row, "winner_dialogue": "", "loser_dialogue": ""} for row in named]
    mixed = [
        row if number % 2 else other for number, (row, other) in enumerate(zip(named, blank, strict=True))
    ]
    (ours,), (theirs,) = section_of(named).matchups, section_of(blank).matchups
    assert ours.clustered is not None
    assert theirs.clustered is not None
    assert theirs.clustered.clusters == ours.clustered.clusters
    assert list(theirs.clustered.clusters)[-2:] == ["dialogue of A", "dialogue of B"]
    assert theirs.clustered.p_value == pytest.approx(ours.clustered.p_value)
    assert theirs.decided_by == ours.decided_by
    assert theirs.p_value == pytest.approx(ours.p_value)
    assert section_of(mixed).matchups[0].clustered is not None


def test_pairings_that_repeat_are_no_longer_taken_as_independent() -> None:
    rows = [row for n in range(10) for row in judged("A", "B", 9, pairing=f"p{n}")]
    rows += [row for n in range(4) for row in judged("B", "A", 9, pairing=f"q{n}")]
    (matchup,) = section_of(rows).matchups
    assert matchup.decided_by == "clustered"
    assert matchup.verdict.better is None
    (alone,) = section_of([{**row, "pairing": ""} for row in rows]).matchups
    assert (alone.decided_by, alone.verdict.better) == ("exact", "A")
    (one,) = section_of(judged("A", "B", 40, pairing="p")).matchups
    assert "all 40 judgments are about one dialogue of A" in one.verdict.sentence


def test_independence_is_checked_where_pairings_are_known() -> None:
    unknown = judged("A", "B", 9)
    known = [{**row, "pairing": f"p{n}"} for n, row in enumerate(unknown)]
    assert any("Independence" in warning for warning in section_of(unknown).warnings)
    assert not any("Independence" in warning for warning in section_of(known).warnings)
    (matchup,) = section_of(known).matchups
    assert matchup.p_value == section_of(unknown).matchups[0].p_value


def test_one_answer_that_meets_several_rivals_is_one_dialogue() -> None:
    """A prompt is a pairing of every two bots that answered it: its answers are its dialogues."""
    rng = np.random.default_rng(3)
    rows: list[Row] = []
    for number in range(300):
        pair = rng.permutation(["A", "B", "C"])[:2]
        winner, loser = str(pair[0]), str(pair[1])
        rows.append(
            {"winner": winner, "loser": loser, "annotator": f"p{number}", "pairing": f"x{number % 9}"}
        )
    named: list[Row] = [
        {
            **row,
            "winner_dialogue": f"{row['winner']} {row['pairing']}",
            "loser_dialogue": f"{row['loser']} {row['pairing']}",
        }
        for row in rows
    ]
    ours, theirs = section_of(rows), section_of(named)
    assert rounded(ours.pooled) == rounded(theirs.pooled)
    assert [one.p_value for one in ours.matchups] == pytest.approx([one.p_value for one in theirs.matchups])
