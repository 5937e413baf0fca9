"""Phrasings compared: agreement, its test, the ranking, and whether the first can be told from the next."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from duologue.acute.phrasings.analysis import Phrasing, analyse_phrasings
from duologue.acute.phrasings.results import AxisResult, PhrasingStudyResults, phrasing_outcomes
from duologue.acute.questions import PUBLISHED
from duologue.judgments import Row, votes_from_rows
from duologue.stats import holm, modal_agreement_on_items, rate_difference
from tests.acute.phrased import ENGAGING, HUMAN, asked, judged, judged_all, over_pairs


def found(rows: Iterable[Row], *arms: str, planned: int | None = None) -> PhrasingStudyResults:
    votes = votes_from_rows(rows)
    return analyse_phrasings(votes, asked(*(arms or ENGAGING)), annotators_planned=planned)


def one_axis(counts: dict[str, tuple[int, int]], *, planned: int | None = None) -> AxisResult:
    (axis,) = found(judged_all(counts), planned=planned).axes
    return axis


CLEAR = {"engaging-to-talk-to": (12, 8), "long-conversation": (20, 0), "captivating": (9, 11)}


def test_agreement_is_the_share_of_the_most_chosen_answer_whichever_it_is() -> None:
    by_arm = {one.arm: one for one in one_axis(CLEAR).phrasings}
    assert {arm: (one.modal, one.n) for arm, one in by_arm.items()} == {
        "engaging-to-talk-to": (12, 20),
        "long-conversation": (20, 20),
        "captivating": (11, 20),
    }
    assert by_arm["captivating"].pairs[0].modal == "weak"
    expected = modal_agreement_on_items([(9, 11)])
    assert by_arm["captivating"].p_value == pytest.approx(expected.p_value)
    assert by_arm["captivating"].chance == pytest.approx(expected.chance_rate)
    assert by_arm["captivating"].interval is not None
    assert by_arm["captivating"].interval.low == pytest.approx(expected.lower_bound)


def test_p_values_are_adjusted_over_all_phrasings_of_all_axes() -> None:
    counts = CLEAR | {"sounds-human": (17, 3), "human-or-bot": (16, 4)}
    axes = found(judged_all(counts), *ENGAGING, *HUMAN).axes
    phrasings = [one for axis in axes for one in axis.phrasings]
    assert len(phrasings) == 5
    raw = [modal_agreement_on_items([counts[one.arm]]).p_value for one in phrasings]
    assert [one.p_adjusted for one in phrasings] == pytest.approx(holm(raw).tolist())
    assert [one.is_significant for one in phrasings] == [(one.p_adjusted or 1) <= 0.05 for one in phrasings]


def test_the_first_is_told_from_the_next_and_the_sentence_says_so() -> None:
    axis = one_axis(CLEAR)
    assert [one.arm for one in axis.phrasings] == ["long-conversation", "engaging-to-talk-to", "captivating"]
    expected = rate_difference(20, 20, 12, 20)
    assert axis.p_value == pytest.approx(expected.p_value)
    assert axis.difference == pytest.approx(0.4)
    assert axis.is_distinguished
    assert axis.sentence == (
        "engagingness: annotators agree most by long-conversation, 100.0 % [83.9, 100.0], n = 20. It can be "
        "told from the next, engaging-to-talk-to (60.0 %, n = 20), p = 0.002, and so from all others."
    )
    assert axis.notes == ("Agreement like that by engaging-to-talk-to and captivating may be chance.",)


def test_a_small_lead_is_not_told_apart() -> None:
    axis = one_axis({"engaging-to-talk-to": (17, 3), "long-conversation": (18, 2), "captivating": (16, 4)})
    assert axis.best == "long-conversation"
    assert not axis.is_distinguished
    assert "cannot be told from the next, engaging-to-talk-to" in axis.sentence
    assert axis.notes == ()


def test_phrasings_are_ranked_by_the_lower_bound_and_not_by_the_rate() -> None:
    axis = one_axis({"engaging-to-talk-to": (36, 4), "long-conversation": (8, 0), "captivating": (5, 5)})
    assert [one.arm for one in axis.phrasings[:2]] == ["engaging-to-talk-to", "long-conversation"]
    assert (axis.difference or 0) < 0
    assert not axis.is_distinguished


def test_the_first_against_the_second_is_adjusted_over_axes() -> None:
    counts = CLEAR | {"sounds-human": (17, 3), "human-or-bot": (10, 10)}
    axes = found(judged_all(counts), *ENGAGING, *HUMAN).axes
    raw = [axis.p_value or 1 for axis in axes]
    assert [axis.p_adjusted for axis in axes] == pytest.approx(holm(raw).tolist())


def test_choices_of_a_question_that_credits_the_other_side_are_counted_by_bot() -> None:
    # Rows name the bot that a choice speaks for, so that "more boring" needs nothing of its own.
    rows = [*judged("boring-to-talk-to", 16, 4), *judged("fun", 18, 2)]
    (axis,) = found(rows, "boring-to-talk-to", "fun").axes
    assert {one.pairs[0].modal for one in axis.phrasings} == {"good"}


def test_phrasings_that_clearly_point_different_ways_are_noted() -> None:
    axis = one_axis({"engaging-to-talk-to": (1, 19), "long-conversation": (19, 1), "captivating": (19, 1)})
    assert axis.notes == (
        "The phrasings point different ways about good and weak: most choose good by long-conversation and "
        "captivating; weak by engaging-to-talk-to. They may not measure the same thing.",
    )


def test_no_agreement_at_all_is_said() -> None:
    (note,) = one_axis(dict.fromkeys(ENGAGING, (10, 10))).notes
    assert note.startswith("For no phrasing is the agreement of annotators beyond chance")


def test_missing_judgments_are_an_interim_look() -> None:
    (note,) = one_axis(dict.fromkeys(ENGAGING, (19, 0)), planned=20).notes
    assert note == (
        "Judgments of engaging-to-talk-to (19 of 20), long-conversation (19 of 20) and captivating "
        "(19 of 20) are missing: these numbers are an interim look."
    )


def test_phrasings_without_judgments_stand_last_and_nothing_is_compared() -> None:
    axis = one_axis({"captivating": (18, 2)})
    assert [one.arm for one in axis.phrasings] == ["captivating", "engaging-to-talk-to", "long-conversation"]
    assert axis.phrasings[1].agreement is None
    assert axis.p_value is axis.p_adjusted is axis.difference is None
    assert axis.sentence.endswith("No other phrasing has judgments to compare it with.")
    # The family is that of the study, so that a p-value does not change when others come in.
    assert axis.phrasings[0].p_adjusted == pytest.approx(3 * modal_agreement_on_items([(18, 2)]).p_value)


def test_nobody_judged() -> None:
    (axis,) = found([]).axes
    assert (axis.best, axis.sentence) == (None, "Nobody has judged by a phrasing of engagingness yet.")
    assert axis.notes == ()


def test_exclusions_and_onboarding_are_counted_and_do_not_count() -> None:
    rows = [
        *judged("captivating", 18, 2),
        *judged("captivating", 0, 5, who="silent", excluded="no-reason"),
        *judged("captivating", 3, 0, who="new", is_onboarding="true"),
    ]
    result = found(rows)
    first = result.axes[0].phrasings[0]
    assert (first.n, first.n_without_exclusions) == (20, 25)
    assert first.agreement_without_exclusions == pytest.approx(18 / 25)
    assert (result.collected, result.onboarding, result.counted) == (28, 3, 20)
    assert [(rule.rule, rule.judgments) for rule in result.rules] == [("no-reason", 5)]


def test_annotators_of_an_open_link_are_kept_apart() -> None:
    rows = [
        *judged("captivating", 18, 2, annotator_kind="lab"),
        *judged("captivating", 10, 10, who="wild", annotator_kind="open"),
        *judged("long-conversation", 20, 0, annotator_kind="lab"),
    ]
    result = found(rows, planned=20)
    assert [axis.title for axis in result.axes] == [
        "engagingness, invited annotators",
        "engagingness, open-link annotators",
    ]
    assert not any("interim" in note for axis in result.axes for note in axis.notes)


def test_revisions_are_not_pooled() -> None:
    rows = [*judged("captivating", 18, 2), *judged("captivating", 10, 10, who="later", revision="2")]
    titles = [axis.title for axis in found(rows).axes]
    assert titles == ["engagingness", "engagingness, revision 2"]


def test_several_pairs_have_krippendorffs_alpha_and_are_clustered_by_annotator() -> None:
    rows = over_pairs("captivating", [(18, 2), (2, 18), (17, 3)]) + over_pairs(
        "long-conversation", [(11, 9), (10, 10), (9, 11)]
    )
    result = found(rows, planned=20)
    first, second = result.axes[0].phrasings[:2]
    assert (first.arm, first.modal, first.n, first.annotators, first.planned) == (
        "captivating",
        53,
        60,
        20,
        60,
    )
    assert first.alpha is not None
    assert second.alpha is not None
    assert first.alpha > 0.5 > second.alpha
    assert first.alpha_interval is not None
    assert first.interval is not None
    assert first.interval.method == "wilson, joined with clustered by annotator"
    assert result.axes[0].difference_interval is not None
    assert "clustered" in result.axes[0].difference_interval.method
    plain = rate_difference(first.modal, first.n, second.modal, second.n)
    assert (result.axes[0].p_value or 0) >= plain.p_value
    assert result.pairs == 3
    assert "3 pairs of dialogues" in result.scope


def test_annotators_who_always_agree_or_never_do_count_once_each() -> None:
    """Five pairs judged alike by each of twenty: the clustered test decides, not that of 100 judgments."""
    rows = over_pairs("captivating", [(16, 4)] * 5) + over_pairs("long-conversation", [(13, 7)] * 5)
    (axis,) = found(rows).axes
    first, second = axis.phrasings[:2]
    assert rate_difference(first.modal, first.n, second.modal, second.n).p_value < 0.05
    assert axis.p_value is not None
    assert axis.p_value > 0.2
    assert not axis.is_distinguished


def test_judgments_of_one_annotator_have_wilsons_interval_alone() -> None:
    rows = [{**row, "annotator": "me"} for row in over_pairs("captivating", [(1, 0), (1, 0)])]
    (first, *_) = found(rows).axes[0].phrasings
    assert first.interval is not None
    assert first.interval.method == "wilson"
    assert first.alpha is None  # no pair has two judgments
    others = over_pairs("long-conversation", [(10, 10), (11, 9)])
    assert found([*rows, *others]).axes[0].p_value == 1


def test_two_dialogues_of_one_bot_are_told_apart_by_dialogue() -> None:
    rows = [
        {"winner": "a", "loser": "a", "winner_dialogue": one, "loser_dialogue": other, "arm": "captivating"}
        for one, other in [("x", "y")] * 15 + [("y", "x")] * 5
    ]
    first = found(rows).axes[0].phrasings[0]
    assert first.modal == 15
    assert first.annotators is None


def test_the_order_of_judgments_does_not_matter() -> None:
    rows = judged_all(CLEAR)
    shuffled = [rows[n] for n in np.random.default_rng(1).permutation(len(rows))]
    assert found(shuffled).axes == found(rows).axes


def test_outcomes_name_the_best_where_it_is_told_from_the_others() -> None:
    outcomes = {(one.first, one.second): one.better for one in phrasing_outcomes(found(judged_all(CLEAR)))}
    assert outcomes == {
        ("captivating", "engaging-to-talk-to"): None,
        ("captivating", "long-conversation"): "long-conversation",
        ("engaging-to-talk-to", "long-conversation"): "long-conversation",
    }


def studies(
    clarity: dict[str, float], *, count: int, annotators: int = 20, seed: int = 1
) -> list[AxisResult]:
    """Made-up studies of phrasings of one axis, through the whole analysis; of equals the first is named."""
    rng, annotators = np.random.default_rng(1), 20
    phrasings = [Phrasing(arm, "engagingness", PUBLISHED["captivating"]) for arm in clarity]
    results = []
    for _ in range(count):
        counts = {arm: int(rng.binomial(annotators, share)) for arm, share in clarity.items()}
        rows = judged_all({arm: (first, annotators - first) for arm, first in counts.items()})
        results.append(analyse_phrasings(votes_from_rows(rows), phrasings).axes[0])
    return results


def test_simulated_annotators_show_the_better_phrasing() -> None:
    found_ = studies({"murky": 0.6, "clear": 0.95}, count=60)
    assert sum(axis.best == "clear" for axis in found_) >= 55
    assert sum(axis.is_distinguished and axis.best == "clear" for axis in found_) >= 38
    assert not any(axis.is_distinguished and axis.best == "murky" for axis in found_)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clarity", "least"),
    [({"murky": 0.6, "clear": 0.95}, 0.77), ({"b": 0.6, "c": 0.55, "clear": 0.9}, 0.35)],
)
def test_many_simulated_studies_find_the_better_phrasing(clarity: dict[str, float], least: float) -> None:
    found_ = studies(clarity, count=1000)
    assert np.mean([axis.best == "clear" for axis in found_]) > 0.9
    assert np.mean([axis.is_distinguished and axis.best == "clear" for axis in found_]) > least


@pytest.mark.slow
@pytest.mark.parametrize(
    "clarity",
    [
        dict.fromkeys("abcd", 0.85),
        dict.fromkeys("abc", 0.6),
        {"a": 0.9, "b": 0.9, "c": 0.55, "d": 0.55},
    ],
    ids=["four alike", "three murky", "two best"],
)
def test_equally_clear_phrasings_are_told_apart_in_one_study_of_twenty_at_most(
    clarity: dict[str, float],
) -> None:
    told = np.mean([axis.is_distinguished for axis in studies(clarity, count=2000)])
    # Three standard errors above 0.05.
    assert told <= 0.05 + 3 * (0.05 * 0.95 / 2000) ** 0.5
