"""Verdicts on ratings by one rule: what decides, one interval, one sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as oracle

from duologue.judgments import Row
from duologue.likert import ENJOYMENT, LikertResults, RatingPair, RatingSection, analyse_ratings
from duologue.likert.analysis.verdicts import _needed
from duologue.stats import clustered_difference, ratings_for_difference
from tests.alike import assert_alike
from tests.likert.rated import rated
from tests.strategies import thorough

OTHER = {"A": "B", "B": "A", "C": "C"}


def analysed(rows: Sequence[Row], **options: Any) -> LikertResults:
    return analyse_ratings(rows, **options)


def section_of(rows: Sequence[Row], **options: Any) -> RatingSection:
    (section,) = analysed(rows, **options).sections
    return section


def pair_of(rows: Sequence[Row], **options: Any) -> RatingPair:
    return section_of(rows, **options).questions[0].pairs[0]


def rows_of(
    bots: Sequence[str], scores: Sequence[float], people: Sequence[object], **columns: Sequence[object]
) -> list[Row]:
    more = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return [
        {"bot": bot, "rating": score, "annotator": who, **(more[n] if more else {})}
        for n, (bot, score, who) in enumerate(zip(bots, scores, people, strict=True))
    ]


# What decides


def test_annotators_who_rated_both_bots_once_make_it_the_paired_test() -> None:
    rng = np.random.default_rng(3)
    lenient = rng.normal(0, 1, 20)
    a, b = (rng.normal(mean, 0.7, 20) + lenient for mean in (3.4, 3.0))
    pair = pair_of(rows_of(["A"] * 20 + ["B"] * 20, [*a, *b], [*range(20)] * 2))
    expected = oracle.ttest_rel(a, b) if a.mean() > b.mean() else oracle.ttest_rel(b, a)
    assert pair.decided_by == "calibrated"
    assert pair.p_value == pytest.approx(expected.pvalue, rel=1e-4)
    assert pair.interval is not None
    assert pair.interval.limits == pytest.approx(tuple(expected.confidence_interval()), abs=1e-4)
    assert pair.calibrated is not None
    assert pair.calibrated.df == 19
    assert pair.p_welch == pytest.approx(oracle.ttest_ind(a, b, equal_var=False).pvalue)
    assert pair.clustered is not None
    assert not pair.clustered.is_required


def test_nested_ratings_of_equal_size_are_a_test_of_annotators_means() -> None:
    rng = np.random.default_rng(4)
    people = np.repeat(np.arange(16), 5)
    scores = rng.normal(0, 1, 16)[people] + rng.normal(3, 0.5, 80)
    bots = ["AB"[who % 2] for who in people]
    pair = pair_of(rows_of(bots, scores.tolist(), people.tolist()))
    means = scores.reshape(16, 5).mean(axis=1)
    expected = oracle.ttest_ind(means[::2], means[1::2])
    assert pair.p_value == pytest.approx(expected.pvalue, rel=1e-4)
    assert pair.calibrated is not None
    assert (pair.calibrated.df, pair.calibrated.annotators) == (14, 16)


def test_welch_decides_only_where_nobody_rated_twice() -> None:
    a, b = [4, 3, 4, 2, 3, 4], [2, 3, 2, 1, 2, 3]
    rows = rows_of(["A"] * 6 + ["B"] * 6, [*a, *b], [*range(12)])
    pair = pair_of(rows)
    assert pair.decided_by == "welch"
    assert pair.p_value == pytest.approx(oracle.ttest_ind(a, b, equal_var=False).pvalue)
    assert pair.verdict.sentence == (
        "A is rated higher than B (p = 0.028 by Welch's test, means 3.33 and 2.17, difference 1.17, "
        "95 % interval [0.16, 2.18], n = 6 each)."
    )
    assert pair_of([*rows, {"bot": "A", "rating": 3, "annotator": 0}]).decided_by == "calibrated"


def repeated_dialogues(seed: int = 5) -> list[Row]:
    """Ten dialogues of each bot, six ratings of each, dialogues that differ much."""
    rng = np.random.default_rng(seed)
    dialogue = np.repeat(np.arange(20), 6)
    people = rng.permutation(np.arange(120) % 30)
    scores = rng.normal(3, 1, 20)[dialogue] + rng.normal(0, 0.3, 30)[people] + rng.normal(0, 0.5, 120)
    return rows_of(
        ["AB"[d % 2] for d in dialogue],
        scores.tolist(),
        people.tolist(),
        dialogue=[f"d{d}" for d in dialogue],
    )


def test_dialogues_rated_repeatedly_take_the_larger_p_with_the_estimate_and_interval_of_that_test() -> None:
    rows = repeated_dialogues()
    pair = pair_of(rows)
    assert pair.calibrated is not None
    assert pair.clustered is not None
    assert pair.clustered.is_required
    assert pair.clustered.clusters == {"annotator": 30, "dialogue": 20}
    first = [row for row in rows if row["bot"] == pair.first]
    second = [row for row in rows if row["bot"] == pair.second]
    codes = {name: n for n, name in enumerate({str(row["dialogue"]) for row in rows})}
    expected = clustered_difference(
        [float(str(row["rating"])) for row in first],
        [float(str(row["rating"])) for row in second],
        [[int(str(row["annotator"])) for row in first], [codes[str(row["dialogue"])] for row in first]],
        [[int(str(row["annotator"])) for row in second], [codes[str(row["dialogue"])] for row in second]],
    )
    assert pair.clustered.p_value == pytest.approx(expected.p_value)
    assert pair.p_value == max(pair.calibrated.p_value, pair.clustered.p_value)
    assert pair.decided_by == "clustered"
    assert pair.interval is not None
    assert pair.difference == pytest.approx(pair.clustered.difference)
    assert pair.difference != pytest.approx(pair.calibrated.difference, abs=1e-4)
    assert pair.interval.limits == pytest.approx(pair.clustered.interval.limits)
    assert pair.interval_unadjusted is not None
    assert pair.interval_unadjusted.limits == pytest.approx(pair.clustered.interval.limits)
    (plain,) = re.findall(
        r"plain means ([0-9.]+) and ([0-9.]+), difference ([0-9.]+),", pair.verdict.sentence
    )
    assert plain == tuple(f"{one:.2f}" for one in (*pair.means, pair.means[0] - pair.means[1]))
    assert "clustered by annotator and dialogue" in pair.verdict.sentence


def test_where_the_calibrated_test_is_the_less_sure_one_the_sentence_is_about_calibrated_means() -> None:
    rng = np.random.default_rng(2)
    people, bots = np.repeat(np.arange(12), 6), np.tile([0, 0, 0, 1, 1, 1], 12)
    scores = 3 + rng.normal(0, 0.8, 12)[people] + 0.3 * bots + rng.normal(0, 1, 72)
    pairs = [
        pair_of(rows_of(["AB"[b] for b in bots[:n]], scores[:n].tolist(), people[:n].tolist()))
        for n in range(40, 73)
    ]
    (calibrated, *_) = [one for one in pairs if one.clustered and one.decided_by == "calibrated"]
    assert calibrated.calibrated is not None
    assert calibrated.calibrated_means is not None
    assert calibrated.difference == pytest.approx(calibrated.calibrated.difference)
    assert calibrated.interval is not None
    assert calibrated.interval.limits == pytest.approx(calibrated.calibrated.interval.limits)
    assert f"calibrated means {calibrated.calibrated_means[0]:.2f} and" in calibrated.verdict.sentence


def test_dialogues_rated_by_people_who_rated_once_are_clustered_beside_welch() -> None:
    rows: list[Row] = [{**row, "annotator": n} for n, row in enumerate(repeated_dialogues())]
    pair = pair_of(rows)
    assert pair.calibrated is None
    assert pair.clustered is not None
    assert pair.clustered.clusters == {"dialogue": 20}
    assert pair.p_welch is not None
    assert (pair.p_value, pair.decided_by) == (max(pair.p_welch, pair.clustered.p_value), "clustered")
    unknown = pair_of([{key: row[key] for key in ("bot", "rating", "dialogue")} for row in rows])
    assert unknown.p_value == pytest.approx(pair.p_value)


def test_a_taste_that_repeats_must_pass_the_clustered_test_too() -> None:
    """Everybody rates each bot ten times, and half of them like A much, the others B: no difference."""
    rng = np.random.default_rng(6)
    people, bots = np.repeat(np.arange(8), 20), np.tile(np.repeat([0, 1], 10), 8)
    taste = np.where((people % 2 == 0) == (bots == 0), 0.8, -0.8) + 0.45 * (bots == 0)
    scores = 3 + taste + rng.normal(0, 0.4, 160)
    pair = pair_of(rows_of(["AB"[b] for b in bots], scores.tolist(), people.tolist()))
    assert pair.calibrated is not None
    assert pair.calibrated.p_value < 0.05
    assert pair.decided_by == "clustered"
    assert pair.verdict.better is None
    assert "clustered by annotator," in pair.verdict.sentence


def test_tests_that_point_in_opposite_directions_decide_nothing() -> None:
    """Lenient people read many dialogues of A; by those who rated both, B is better."""
    rows: list[Row] = []
    for n in range(30):
        rows += [
            {"bot": "A", "annotator": f"kind{n}", "rating": 5, "dialogue": f"a{n // 2}-{k}"} for k in range(3)
        ]
        rows += [{"bot": "B", "annotator": f"kind{n}", "rating": 5 + 0.9, "dialogue": f"b{n // 2}"}]
        rows += [{"bot": "A", "annotator": f"harsh{n}", "rating": 1 + n % 2 / 5, "dialogue": f"c{n // 2}"}]
        rows += [
            {"bot": "B", "annotator": f"harsh{n}", "rating": 2 - n % 2 / 5, "dialogue": f"d{n // 2}-{k}"}
            for k in range(3)
        ]
    pair = pair_of(rows)
    assert pair.calibrated is not None
    assert pair.clustered is not None
    assert (pair.first, pair.calibrated.difference > 0 > pair.clustered.difference) == ("B", True)
    assert max(pair.calibrated.p_value, pair.clustered.p_value) < 0.05
    assert (pair.decided_by, pair.p_value, pair.verdict.better) == ("opposed", 1.0, None)
    assert pair.interval is not None
    assert 0 in pair.interval
    assert "point in opposite directions" in pair.verdict.sentence


# No verdict


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (rows_of(["A", "B"] * 8, [1, 2, 3, 4] * 4, ["p"] * 16), "all 16 ratings are by one annotator"),
        (
            rows_of(["A", "B"] * 8, [1, 2, 3, 4] * 4, ["p" if n % 2 else f"q{n}" for n in range(16)]),
            "all 8 ratings of B are by one annotator, and hold for this annotator only",
        ),
        (
            rows_of(
                ["A", "B"] * 8,
                [1, 2, 3, 4] * 4,
                [*range(16)],
                dialogue=["d" if n % 2 else f"e{n}" for n in range(16)],
            ),
            "all 8 ratings of B are of one dialogue, and hold for this dialogue only",
        ),
        (
            rows_of(["A", "B"] * 8, [1, 2, 3, 4] * 4, [n // 2 % 2 for n in range(16)]),
            "2 annotators rated them, and at least 3 are needed",
        ),
        (rows_of(["A", "A", "A", "B"], [1, 2, 3, 4], [*range(4)]), "B has one rating only"),
        (rows_of(["A", "B"] * 8, [4, 1] * 8, [*range(16)]), "all ratings of each are alike (4.00 and 1.00)"),
    ],
)
def test_where_ratings_say_nothing_about_the_bots_there_is_no_verdict(rows: list[Row], why: str) -> None:
    pair = pair_of(rows)
    assert (pair.verdict.better, pair.p_value, pair.interval, pair.decided_by) == (None, None, None, None)
    assert why in pair.verdict.why_none
    assert pair.verdict.sentence == pair.verdict.why_none


# Ratings missing


def test_missing_ratings_follow_the_standard_error_of_the_contrast() -> None:
    rows = rated({"ada": 2.6, "bea": 2.5}, people=30, leniency=1.0, noise=0.5)
    pair = analyse_ratings(rows, questions=[ENJOYMENT], gap=0.2).sections[0].questions[0].pairs[0]
    assert pair.calibrated is not None
    spread = pair.calibrated.standard_error * np.sqrt(30 / 2)
    needed = ratings_for_difference(0.2, sd=float(f"{spread:.3g}")).judgments
    assert pair.verdict.more_per_bot == needed - 30
    assert (
        f"; about {needed - 30} more ratings of each bot are needed for a difference of 0.20 points with "
        "80 % power, by annotators and on dialogues as so far, and testing again after adding judgments "
        "would be a new test."
    ) in pair.verdict.sentence
    # As if nobody's leniency were taken off, it would take many more.
    plain = np.sqrt(np.mean([0.9, 0.9]))
    assert needed < ratings_for_difference(0.2, sd=float(plain)).judgments


def test_missing_ratings_are_those_of_the_strictest_step_where_pairs_share_the_error() -> None:
    rows = rated({"ada": 2.5, "bea": 2.5, "cyd": 2.5}, people=30, leniency=1.0, noise=0.5)
    pairs = analyse_ratings(rows, questions=[ENJOYMENT], gap=0.3).sections[0].questions[0].pairs
    assert len(pairs) == 3
    for pair in pairs:
        assert pair.calibrated is not None
        spread = float(f"{pair.calibrated.standard_error * np.sqrt(30 / 2):.3g}")
        needed = ratings_for_difference(0.3, sd=spread, alpha=0.05 / 3).judgments
        assert pair.verdict.more_per_bot == needed - 30 > 0


def test_without_a_planned_difference_no_number_is_given() -> None:
    pair = pair_of(rows_of(["A", "B"] * 8, [1, 2, 3, 4] * 4, [n // 2 for n in range(16)]))
    assert pair.verdict.more_per_bot is None
    assert "more ratings" not in pair.verdict.sentence


def test_no_difference_worth_finding_is_said_of_an_equivalence_test_only() -> None:
    rows = rated({"ada": 2.5, "bea": 2.5}, people=200, noise=0.4)
    pair = analyse_ratings(rows, questions=[ENJOYMENT], gap=0.5).sections[0].questions[0].pairs[0]
    assert pair.verdict.is_equivalent
    assert pair.verdict.sentence.startswith(
        "No difference worth finding between ada and bea: one of 0.50 points or more is excluded (equivalence"
    ) or pair.verdict.sentence.startswith("No difference worth finding between bea and ada")
    narrow = analyse_ratings(rows, questions=[ENJOYMENT], gap=0.01).sections[0].questions[0].pairs[0]
    assert not narrow.verdict.is_equivalent
    assert narrow.verdict.more_per_bot


# Families and looks


def two_questions() -> list[Row]:
    rows = rated({"A": 3.1, "B": 2.6}, people=25, seed=8)
    return [{**row, "rating_sense": row["rating_enjoyment"]} for row in rows]


def test_several_questions_are_one_family_unless_one_is_primary() -> None:
    together = analysed(two_questions())
    assert {pair.family for q in together.sections[0].questions for pair in q.pairs} == {2}
    assert together.family == (
        "All 2 pairs of 2 questions are one family (Holm): the chance of calling any two equal bots "
        "different is 5.0 % or less. With a family for each question it would be up to 10.0 %."
    )
    first = analysed(two_questions(), primary="sense")
    assert {pair.family for q in first.sections[0].questions for pair in q.pairs} == {1}
    assert first.family.startswith("The primary question is sense: Holm over its own pairs")
    assert first.sections[0].warnings[0].startswith("Question enjoyment is secondary")


def test_planned_bots_without_ratings_share_the_error_rate_and_are_an_interim_look() -> None:
    rows = rated({"A": 3.1, "B": 2.6}, people=25)
    results = analysed(rows, planned={"A": 25, "B": 30, "C": 25})
    assert results.sections[0].questions[0].pairs[0].family == 3
    assert results.warnings[0].startswith(
        "2 of 3 bots have not reached the planned number of judgments: this is an interim look."
    )
    done = analysed(rows, planned={"A": 25, "B": 25})
    assert not any("interim" in warning for warning in done.warnings)


# The ordinal check


def test_the_ordinal_check_compares_conclusions() -> None:
    pairs = zip("aabb" * 4, range(16), [3, 4, 1, 3, 2, 3, 2, 1] * 2, strict=True)
    by_two = [{"bot": bot, "annotator": n % 2, "rating": point} for bot, n, point in pairs]
    few = analysed(by_two).sections[0].questions[0]
    assert few.pairs[0].verdict.why_none
    assert few.ordinal is not None
    assert few.ordinal.sentence.endswith("has no verdict to be compared with.")
    check = analysed(rated({"ada": 3.4, "bea": 1.8})).sections[0].questions[0].ordinal
    assert check is not None
    assert [one.accord for one in check.conclusions] == ["same"]
    assert check.sentence.endswith("comes to the same conclusions.")
    # A quarter of A's ratings far above: the means differ, and most ratings say the opposite.
    rows: list[Row] = []
    for n in range(400):
        rows.append({"bot": "A", "annotator": f"a{n}", "rating": 100 if n % 4 == 0 else 1})
        rows.append({"bot": "B", "annotator": f"b{n}", "rating": 2})
    rows += [{"bot": "B", "annotator": "c", "rating": 1}, {"bot": "B", "annotator": "d", "rating": 100}]
    opposite = analysed(rows).sections[0].questions[0]
    assert opposite.pairs[0].verdict.better == "A"
    assert opposite.ordinal is not None
    assert [(one.accord, one.better) for one in opposite.ordinal.conclusions] == [("opposite", "B")]
    assert "comes to the opposite of the verdict on A and B" in opposite.ordinal.sentence


def test_the_ordinal_check_says_where_only_one_of_the_two_finds_a_difference() -> None:
    # The same sign, no difference by either: agreement. One far rating hides a difference from the means.
    rows: list[Row] = [{"bot": "A", "annotator": f"a{n}", "rating": 3} for n in range(30)]
    rows += [{"bot": "B", "annotator": f"b{n}", "rating": 2} for n in range(30)]
    rows += [{"bot": "B", "annotator": f"c{n}", "rating": 30} for n in range(2)]
    rows += [{"bot": "A", "annotator": "d", "rating": 2}, {"bot": "A", "annotator": "e", "rating": 30}]
    found = analysed(rows).sections[0].questions[0]
    assert found.pairs[0].verdict.better is None
    assert found.ordinal is not None
    assert found.ordinal.conclusions[0].accord == "difference only here"
    assert "finds a difference, where the verdict is none, between" in found.ordinal.sentence
    assert not found.ordinal.agrees


def test_the_ordinal_check_is_held_against_the_level_of_each_verdict() -> None:
    between = 0
    for seed in range(8):
        found = analysed(rated({"a": 2.9, "b": 2.5, "c": 2.5}, people=30, seed=seed)).sections[0].questions[0]
        assert found.ordinal is not None
        for check, pair in zip(found.ordinal.conclusions, found.pairs, strict=True):
            assert pair.interval is not None
            assert (check.better is not None) == (check.p_value <= 1 - pair.interval.level)
            between += 1 - pair.interval.level < check.p_value <= 0.05
    assert between


def test_bots_whose_ratings_hardly_overlap_differ_by_the_ordinal_check_too() -> None:
    """The strength over its standard error finds nothing here: p = .075 (Hauck and Donner 1977)."""
    scores = [3, 2, 3, 3, 3, 3, 3, 2, 4, 3, 3, 1, 2, 1, 4, 2]
    bots, people = ["A", "B"] * 8, [n // 2 for n in range(16)]
    found = analysed(rows_of(bots, scores, people)).sections[0].questions[0]
    assert found.pairs[0].verdict.better == "A"
    assert found.ordinal is not None
    assert found.ordinal.conclusions[0].better == "A"
    assert found.ordinal.conclusions[0].p_value == pytest.approx(0.003507, abs=1e-6)


# Properties


@st.composite
def tables(draw: st.DrawFn) -> list[Row]:
    """Ratings of three bots with all that can occur: ids, blanks, repeated dialogues, few people."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    people, dialogues = draw(st.sampled_from([(2, 5), (8, 60), (40, 8), (40, 400)]))
    has_annotators, has_dialogues = draw(st.tuples(st.booleans(), st.booleans()))
    lead = draw(st.sampled_from([0.0, 0.4, 1.5]))
    lenient = rng.normal(0, 0.7, people)
    rows: list[Row] = []
    for n in range(draw(st.integers(2, 150))):
        bot, who, dialogue = (
            int(rng.integers(0, 3)),
            int(rng.integers(0, people)),
            int(rng.integers(0, dialogues)),
        )
        point = int(np.clip(round(3 + lead * (bot == 0) + lenient[who] + rng.normal(0, 0.8)), 1, 5))
        row: dict[str, object] = {"bot": "ABC"[bot], "rating": point, "scale": "1 to 5"}
        if has_annotators and rng.random() < 0.9:
            row["annotator"] = f"p{who}"
        if has_dialogues:
            row["dialogue"] = f"{'ABC'[bot]}{dialogue}"
        rows.append({**row, "at": f"2026-01-01T00:{n // 60:02}:{n % 60:02}Z"})
    return rows


@thorough(30)
@given(tables(), st.sampled_from([0.05, 0.2]))
def test_a_verdict_and_its_interval_never_contradict_each_other(rows: list[Row], alpha: float) -> None:
    for question in section_of(rows, alpha=alpha, gap=0.3).questions:
        for pair in question.pairs:
            if pair.interval is None:
                assert pair.verdict.better is None
                assert pair.verdict.why_none
                continue
            assert (0 not in pair.interval) == (pair.verdict.better is not None)
            if pair.verdict.better is not None:
                assert (pair.interval.low > 0) == (pair.verdict.better == pair.first)
            assert pair.difference in pair.interval
            assert not (pair.verdict.better and pair.verdict.is_equivalent)
            assert " but " not in pair.verdict.sentence
            for check in question.ordinal.conclusions if question.ordinal else ():
                if (check.first, check.second) == (pair.first, pair.second):
                    assert (check.p_value <= 1 - pair.interval.level) == (check.better is not None)


@thorough(20)
@given(tables())
def test_swapping_the_names_of_the_bots_mirrors_everything(rows: list[Row]) -> None:
    turned: list[Row] = [{**row, "bot": OTHER[str(row["bot"])]} for row in rows]
    for ours, theirs in zip(section_of(rows).questions, section_of(turned).questions, strict=True):
        found = {frozenset((pair.first, pair.second)): pair for pair in ours.pairs}
        for two in theirs.pairs:
            one = found[frozenset((OTHER[two.first], OTHER[two.second]))]
            is_turned = OTHER[two.first] != one.first  # only where the means are the same
            assert two.verdict.better == (OTHER[one.verdict.better] if one.verdict.better else None)
            assert (two.decided_by, bool(two.verdict.why_none)) == (
                one.decided_by,
                bool(one.verdict.why_none),
            )
            assert two.p_value == (None if one.p_value is None else pytest.approx(one.p_value, rel=1e-9))
            if one.interval is not None and two.interval is not None:
                low, high = one.interval.limits
                expected = (-high, -low) if is_turned else (low, high)
                assert two.interval.limits == pytest.approx(expected, rel=1e-9, abs=1e-9)


@thorough(20)
@given(tables(), tables())
def test_an_excluded_row_changes_nothing_but_its_own_counts(rows: list[Row], aside: list[Row]) -> None:
    excluded: list[Row] = [{**row, "excluded": "late"} for row in aside]
    plain, beside = section_of(rows, gap=0.3), section_of([*rows, *excluded], gap=0.3)
    assert beside.exclusions.rules[0].judgments == len(aside)
    assert beside.exclusions.collected == plain.exclusions.collected + len(aside)
    for one, two in zip(plain.questions, beside.questions, strict=True):
        assert_alike(one.pairs, two.pairs)
        assert_alike(one.bots, two.bots)
        assert_alike(one.ordinal, two.ordinal)
    assert (plain.n, plain.bots, plain.busiest, plain.progress, plain.warnings) == (
        beside.n,
        beside.bots,
        beside.busiest,
        beside.progress,
        beside.warnings,
    )


def test_a_gap_that_nobody_could_find_gets_no_number() -> None:
    assert _needed(1e-9, 1.0, 0.05, 0.8) is None
