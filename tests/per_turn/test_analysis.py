"""Turns analysed: verdicts by the larger p-value, families, and what the numbers of a section are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import AnalysisError, DesignError
from duologue.per_turn import (
    AllBots,
    Mechanism,
    NullComparison,
    PerTurnResults,
    Setting,
    TurnPair,
    TurnQuestion,
    TurnRow,
    analyse_turns,
)
from duologue.per_turn.power import arm_design
from duologue.stats import (
    ClusteredDesign,
    DesignEffect,
    clustered_equality,
    clustered_log_odds,
    clustered_mean,
    cochran_q,
    mcnemar_test,
    sample_size,
)
from tests.per_turn.chats import MadeUp, made_up, row
from tests.strategies import thorough

NONE = TurnQuestion(rules=(), draws=9, is_randomised=True)
FOUR = {"a": 0.5, "b": 0.3, "c": 0.3, "d": 0.28}


def analysed(study: MadeUp, seed: int = 1, question: TurnQuestion = NONE, **fields: Any) -> PerTurnResults:
    return analyse_turns(made_up(study, seed, **fields), question)


def selected(rows: tuple[TurnRow, ...]) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array([[one.selected()[bot] for bot in one.bots] for one in rows], dtype=np.int64)


def test_two_bots_are_tested_by_mcnemar_and_by_clusters_and_the_larger_p_value_decides() -> None:
    rows = made_up(MadeUp({"a": 0.55, "b": 0.45}, icc=0.2), 3)
    (pair,) = analyse_turns(rows, NONE).sections[0].pairs
    table = selected(rows)
    difference = table[:, 0] - table[:, 1]
    dialogue = np.repeat(np.arange(40), 10)
    naive = mcnemar_test(int((difference > 0).sum()), int((difference < 0).sum()), method="mid-p").p_value
    clustered = clustered_mean(difference, [dialogue], bounds=(-1, 1)).p_value
    assert (pair.tested.p_naive, pair.tested.p_clustered) == (naive, clustered)
    assert pair.tested.p_value == max(naive, clustered)
    assert pair.tested.decided_by == "clustered"
    assert pair.tested.clusters == {"dialogue": 40}
    assert pair.difference == pytest.approx(difference.mean())
    assert pair.only_first + pair.only_second + pair.tie_wins + pair.tie_losses == 400


def test_one_best_of_two_is_tested_by_the_exact_binomial_test() -> None:
    (pair,) = analysed(MadeUp({"a": 0.6, "b": 0.4}, setting="soba")).sections[0].pairs
    assert pair.tested.naive == "exact binomial"
    assert pair.tie_losses == 0
    assert pair.verdict.better == "a"
    assert "a is selected more often than b" in pair.verdict.sentence


def test_several_bots_are_tested_at_once_and_then_in_pairs() -> None:
    rows = made_up(MadeUp(FOUR, annotators=60), 5)
    section = analyse_turns(rows, NONE).sections[0]
    whole = section.all_bots
    assert whole is not None
    q = cochran_q(selected(rows))
    dialogues = [np.repeat(np.arange(60), 10)]
    equality = clustered_equality(selected(rows), dialogues, rng=np.random.default_rng([0, 0]))
    assert (whole.statistic, whole.tested.p_naive) == (q.statistic, q.p_value)
    assert (whole.clustered_statistic, whole.tested.p_clustered) == (equality.statistic, equality.p_value)
    assert whole.verdict.is_different
    assert [pair.tested.family for pair in section.pairs] == [6] * 6
    assert {pair.verdict.better for pair in section.pairs} == {"a", None}


def test_one_best_of_several_has_no_pairs() -> None:
    section = analysed(MadeUp(FOUR, setting="soba")).sections[0]
    assert section.pairs == ()
    assert section.all_bots is not None
    assert section.all_bots.tested.naive == "Pearson's chi-square"


UNDECIDED = (
    "1111 0100 1110 1110 0000 0000 1011 1100 1001 0100 0010 1010 0010 1001 1001 0001 1101 1100 1111 0011 "
    "1110 0000 0100 1101 1111 1010 0100 1111 0001 1000 0101 1110 1011 1010 0000 1001 0001 1110 1110 1111 "
    "1001 0101 1110 1001 0010 1001 0100 1000 0000 1000 1000 1010 0011 1001 0011 0011 1011 1010 1010 0011"
)
"""Turns of which Cochran's Q has p = .072, and one of six pairs p = .0081 < .05/6."""


def test_no_pair_is_told_apart_where_the_bots_as_a_whole_are_not() -> None:
    rows = [
        row({bot: cell == "1" for bot, cell in zip("abcd", cells, strict=True)}, dialogue=f"d{number}")
        for number, cells in enumerate(UNDECIDED.split())
    ]
    section = analyse_turns(rows, NONE).sections[0]
    assert section.all_bots is not None
    assert not section.all_bots.verdict.is_different
    surest = min(section.pairs, key=lambda pair: pair.tested.p_naive or 1.0)
    assert surest.tested.p_naive is not None
    assert surest.tested.p_naive < 0.05 / 6
    assert surest.tested.decided_by == "all bots"
    assert surest.verdict.better is None
    assert surest.interval is not None
    assert 0.0 in surest.interval
    assert "The test of all bots at once found no difference" in surest.verdict.sentence


def test_a_single_bot_is_tested_against_its_standard() -> None:
    rows = made_up(MadeUp({"a": 0.9}, setting=None), 2)
    (against,) = analyse_turns(rows, NONE).sections[0].against
    chosen = selected(rows)[:, 0]
    clustered = clustered_log_odds(chosen, [np.repeat(np.arange(40), 10)], null=0.8)
    assert against.tested.p_clustered == clustered.p_value
    assert against.verdict.better == "a"
    assert "above the standard of 80.0 %" in against.verdict.sentence
    below = analyse_turns(rows, replace(NONE, null=0.97)).sections[0].against[0]
    assert below.verdict.better is None
    assert "below the standard of 97.0 %" in below.verdict.sentence
    assert below.interval is not None
    assert below.interval.high < 0.97


def test_annotators_with_several_dialogues_are_clusters_too() -> None:
    rows = [
        one.model_copy(update={"annotator": f"ann-{int(one.dialogue[1:]) // 2}"})
        for one in made_up(MadeUp({"a": 0.5, "b": 0.5}), 1)
    ]
    section = analyse_turns(rows, NONE).sections[0]
    assert section.pairs[0].tested.clusters == {"dialogue": 40, "annotator": 20}
    assert (section.dialogues, section.annotators) == (40, 20)


def test_one_annotator_says_nothing_about_the_bots() -> None:
    for study in (MadeUp({"a": 0.9, "b": 0.1}), MadeUp(FOUR), MadeUp({"a": 0.9}, setting=None)):
        rows = [one.model_copy(update={"annotator": "ann"}) for one in made_up(study, 1)]
        section = analyse_turns(rows, NONE).sections[0]
        compared: list[TurnPair | NullComparison | AllBots] = [*section.pairs, *section.against]
        compared += [section.all_bots] if section.all_bots else []
        for one in compared:
            assert one.verdict.why_none == "all turns are of one annotator"
            assert one.tested.p_value is None
        assert section.power is None
        assert section.bots[0].interval is None


def test_a_single_turn_says_nothing_about_the_bots() -> None:
    chosen = {"a": True, "b": False, "c": False}
    designs: list[tuple[str, Setting | None]] = [("ab", "soba"), ("ab", "sata-user"), ("abc", "sata-user")]
    for bots, setting in [*designs, ("a", None)]:
        one = row({bot: chosen[bot] for bot in bots}, setting=setting)
        section = analyse_turns([one], NONE).sections[0]
        compared: list[TurnPair | NullComparison | AllBots] = [*section.pairs, *section.against]
        compared += [section.all_bots] if section.all_bots else []
        assert {found.verdict.why_none for found in compared} == {"all turns are of one dialogue"}


def test_blank_annotators_are_clustered_by_dialogue_and_said() -> None:
    rows = [one.model_copy(update={"annotator": ""}) for one in made_up(MadeUp({"a": 0.6, "b": 0.4}), 1)]
    results = analyse_turns(rows, NONE)
    assert results.sections[0].pairs[0].tested.clusters == {"dialogue": 40}
    assert results.sections[0].annotators is None
    assert "No annotator is named" in results.warnings[0]


def test_incomplete_turns_are_counted_and_not_tested() -> None:
    rows = list(made_up(MadeUp({"a": 0.6, "b": 0.4}), 1))
    failed = rows[0].candidates[1].model_copy(update={"failed": True, "position": None, "selected": False})
    rows[0] = rows[0].model_copy(update={"candidates": (rows[0].candidates[0], failed)})
    results = analyse_turns(rows, NONE)
    assert (results.sections[0].turns, results.sections[0].incomplete) == (399, 1)
    assert results.screening.incomplete == 1
    with pytest.raises(AnalysisError, match="no turn is complete"):
        analyse_turns(rows[:1], NONE)


def test_the_same_reply_is_credited_to_all_its_bots() -> None:
    same = {"a": "Hm.", "b": "Hm."}
    rows = [
        row({"a": True, "b": True}, dialogue=f"d{number}", setting="soba", texts=same) for number in range(30)
    ] + [row({"a": True, "b": False}, dialogue=f"d{number}", setting="soba") for number in range(30, 60)]
    (pair,) = analyse_turns(rows, NONE).sections[0].pairs
    assert (pair.tie_wins, pair.only_first, pair.turns) == (30, 30, 60)
    assert pair.tested.p_naive == pytest.approx(2 * 0.5**30)


def test_arms_share_alpha_unless_one_is_primary() -> None:
    rows = [
        *made_up(MadeUp({"a": 0.6, "b": 0.4}), 1, arm="x"),
        *(
            one.model_copy(update={"dialogue": f"y{one.dialogue}"})
            for one in made_up(MadeUp({"a": 0.6, "b": 0.4}, setting="sata-user"), 2, arm="y")
        ),
    ]
    both = analyse_turns(rows, NONE)
    assert [section.pairs[0].tested.family for section in both.sections] == [2, 2]
    assert "All 2 comparisons of 2 arms are one family" in both.family
    first = analyse_turns(rows, replace(NONE, primary="y"))
    assert [section.pairs[0].tested.family for section in first.sections] == [1, 1]
    assert [section.is_secondary for section in first.sections] == [True, False]
    assert [one.same_verdict for one in both.across] == [True]
    assert both.across[0].settings[0].design == "PM-SATA-Random"


def test_further_questions_are_sections_of_their_own_and_secondary() -> None:
    rows = [
        one.model_copy(
            update={
                "candidates": tuple(
                    card.model_copy(update={"dimensions": {"fun": card.bot == "b"}})
                    for card in one.candidates
                )
            }
        )
        for one in made_up(MadeUp({"a": 0.7, "b": 0.4}), 1)
    ]
    results = analyse_turns(rows, NONE)
    main, fun = results.sections
    assert (main.question, fun.question, fun.is_secondary) == ("", "fun", True)
    assert (main.pairs[0].verdict.better, fun.pairs[0].verdict.better) == ("a", "b")
    assert fun.pairs[0].tested.family == 1
    assert results.family == (
        "The comparisons by the other question are a family of their own (Holm): over all 2 families a false "
        "verdict has a chance of up to 10.0 %."
    )


def test_revisions_are_never_pooled() -> None:
    rows = [
        *made_up(MadeUp({"a": 0.6, "b": 0.4}, annotators=5), 1),
        *(
            one.model_copy(update={"dialogue": f"y{one.dialogue}", "revision": 2})
            for one in made_up(MadeUp({"a": 0.6, "b": 0.4}, annotators=5), 2)
        ),
    ]
    assert [section.revision for section in analyse_turns(rows, NONE).sections] == [1, 2]


@thorough(10)
@given(
    seed=st.integers(0, 10**5), bots=st.sampled_from([2, 4]), setting=st.sampled_from(["soba", "sata-random"])
)
def test_the_interval_excludes_zero_exactly_when_the_verdict_is_a_difference(
    seed: int, bots: int, setting: Any
) -> None:
    rates = dict(zip("abcd"[:bots], (0.6, 0.45, 0.45, 0.4), strict=False))
    for section in analysed(MadeUp(rates, setting=setting, annotators=12, icc=0.1), seed).sections:
        for pair in section.pairs:
            assert pair.interval is not None
            assert (0.0 not in pair.interval) == (pair.verdict.better is not None)
            assert pair.interval.low <= pair.difference <= pair.interval.high


@thorough(10)
@given(seed=st.integers(0, 10**5))
def test_renaming_bots_mirrors_the_verdict_and_the_order_of_rows_does_not_matter(seed: int) -> None:
    rows = made_up(MadeUp({"a": 0.6, "b": 0.45}, annotators=10), seed)
    turned = [
        one.model_copy(
            update={
                "candidates": tuple(
                    card.model_copy(update={"bot": {"a": "z", "b": "b"}[card.bot]}) for card in one.candidates
                )
            }
        )
        for one in reversed(rows)
    ]
    (ours,), (theirs,) = (analyse_turns(some, NONE).sections[0].pairs for some in (rows, turned))
    assert theirs.difference == pytest.approx(-ours.difference)
    assert theirs.tested.p_value == pytest.approx(ours.tested.p_value)
    assert (ours.verdict.better is None) == (theirs.verdict.better is None)


def test_the_power_is_that_of_the_planned_gap_with_what_turns_are_worth() -> None:
    section = analysed(
        MadeUp({"a": 0.6, "b": 0.4}, icc=0.3), question=replace(NONE, gap=0.15, planned={"": 500})
    ).sections[0]
    assert section.power is not None
    assert (section.power.gap, section.power.planned_turns, section.power.turns) == (0.15, 500, 400)
    assert section.power.effective_turns < 400
    assert 0.05 < section.power.power < 1


def test_a_gap_that_the_design_cannot_have_has_no_power() -> None:
    gap = replace(NONE, gap=0.9)
    assert analysed(MadeUp({"a": 0.6, "b": 0.4}), question=gap).sections[0].power is None


def test_cost_is_that_of_all_dialogues() -> None:
    rows = [
        one.model_copy(update={"pay": 0.8, "seconds": 6.0})
        for one in made_up(MadeUp({"a": 0.6, "b": 0.4}), 1)
    ]
    cost = analyse_turns(rows, TurnQuestion(rules=("first-turn",))).sections[0].cost
    assert (cost.dialogues, cost.turns) == (40, 400)
    assert (cost.seconds_per_turn, cost.seconds_per_dialogue) == (6.0, 60.0)
    assert cost.pay_per_dialogue == pytest.approx(0.8)
    assert cost.pay_per_turn == pytest.approx(40 * 0.8 / 360)
    assert analysed(MadeUp({"a": 0.6, "b": 0.4})).sections[0].cost.pay_per_turn is None
    clocked = [
        one.model_copy(update={"dialogue_seconds": 90.0 if n % 2 else 2.0, "seconds": 6.0 if n % 2 else None})
        for n, one in ((int(one.dialogue[1:]), one) for one in rows)
    ]
    by_clock = analyse_turns(clocked, NONE).sections[0].cost
    assert (by_clock.seconds_per_turn, by_clock.seconds_per_dialogue) == (6.0, 90.0)


def test_results_are_read_back_from_json(tmp_path: Any) -> None:
    results = analysed(MadeUp(FOUR, annotators=8))
    path = tmp_path / "results.json"
    path.write_text(results.to_json(), encoding="utf-8")
    assert PerTurnResults.read(path) == results
    assert results.protocol == "per-turn"


def test_a_rule_that_does_not_exist_is_refused() -> None:
    with pytest.raises(DesignError, match="'typos' is no rule of screening; they are: fixed-pattern"):
        TurnQuestion(rules=("typos",))


def test_few_clusters_are_warned_of() -> None:
    section = analysed(MadeUp({"a": 0.6, "b": 0.4}, annotators=6)).sections[0]
    assert section.warnings[0].startswith("The turns are of only 6 dialogues, and turns of one dialogue are")


@pytest.mark.parametrize(
    ("bots", "setting", "fewest"), [(1, None, 4), (2, "soba", 4), (2, "sata-user", 4), (3, "soba", 8)]
)
def test_below_four_dialogues_for_each_difference_there_is_no_verdict(
    bots: int, setting: Any, fewest: int
) -> None:
    rates = dict.fromkeys("abc"[:bots], 0.5)
    for dialogues in (fewest - 1, fewest):
        section = analysed(MadeUp(rates, setting=setting, annotators=dialogues)).sections[0]
        found = [(one.tested, one.verdict) for one in section.pairs]
        found += [(one.tested, one.verdict) for one in section.against]
        found += [(one.tested, one.verdict) for one in [section.all_bots] if one is not None]
        ((tested, verdict),) = found
        is_decided = dialogues == fewest
        assert (tested.p_value is not None) == is_decided
        if not is_decided:
            why = f"the turns are of {dialogues} dialogues, and at least {fewest} are needed"
            assert verdict.why_none == why
            assert verdict.sentence.startswith("No verdict on")


def test_dialogues_of_unequal_length_are_worth_fewer() -> None:
    rows = made_up(MadeUp({"a": 0.6, "b": 0.4}, annotators=6), 1)
    uneven = [one for one in rows if one.dialogue == "d0" or one.turn == 1]
    (pair,) = analyse_turns(uneven, NONE).sections[0].pairs
    assert pair.verdict.why_none == (
        "the turns are of 6 dialogues, worth 2.1 of equal size, and at least 4 are needed"
    )


def test_pairs_of_several_bots_have_no_verdict_where_all_bots_at_once_have_none() -> None:
    section = analysed(MadeUp(FOUR, annotators=11)).sections[0]
    assert section.all_bots is not None
    assert {pair.verdict.why_none for pair in section.pairs} == {
        "the turns are of 11 dialogues, and at least 12 are needed"
    }
    assert analysed(MadeUp(FOUR, annotators=12)).sections[0].pairs[0].tested.p_value is not None


SETTINGS = [
    (1, None),
    *((bots, setting) for bots in (2, 4) for setting in ("soba", "sata-random", "sata-user")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("bots", "setting"), SETTINGS)
def test_as_many_turns_as_are_planned_find_the_planned_gap(setting: Any, bots: int) -> None:
    gap, turns = 0.2, 10
    names: dict[int, Mechanism] = {1: "single", 2: "pairwise", 4: "multi"}
    design = arm_design(names[bots], setting, bots, alpha=0.05, tests=1, null=0.8)
    effect = DesignEffect(icc=0.1, cluster_size=turns - 1)  # first turns do not count
    needed = sample_size(ClusteredDesign(design=design, effect=effect), gap, power=0.8).judgments
    shares = {1: [0.8 - gap], 2: [0.5 + gap / 2, 0.5 - gap / 2], 4: [0.5 + gap / 2, 0.5, 0.5, 0.5 - gap / 2]}
    rates = shares[bots]
    if setting == "soba" and bots == 4:  # shares of one selection that are the gap apart
        rates = [0.25 + gap / 2, 0.25, 0.25, 0.25 - gap / 2]
    study = MadeUp(
        dict(zip("abcd", rates, strict=False)),
        setting=setting,
        annotators=-(-needed // (turns - 1)),
        turns=turns,
        icc=0.1,
    )
    hits, studies = 0, 200
    for seed in range(studies):
        section = analysed(study, seed, replace(NONE, rules=("first-turn",))).sections[0]
        found = [*(one.verdict for one in section.pairs), *(one.verdict for one in section.against)]
        if section.all_bots is not None:
            found = [section.all_bots.verdict]
        hits += any(verdict.is_different for verdict in found)
    assert hits / studies >= 0.8 - 2.6 * (0.8 * 0.2 / studies) ** 0.5
