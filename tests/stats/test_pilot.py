"""Pilots: effects are shrunk, discordances taken at their dear end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from duologue.errors import DesignError
from duologue.stats.planning.pilot import pilot_discordance, pilot_effect, turns_for_effect
from tests.strategies import thorough

counts = st.lists(st.integers(0, 500), min_size=2, max_size=7)


@thorough(10)
@given(chosen=counts)
def test_the_raw_effect_is_pearsons_statistic_per_turn_and_is_only_ever_shrunk(chosen: list[int]) -> None:
    assume(sum(chosen) > 0)
    effect = pilot_effect(chosen)
    assert effect.raw == pytest.approx(stats.chisquare(chosen).statistic / sum(chosen))
    assert 0 <= effect.shrunk <= effect.raw
    assert 0 <= effect.low <= effect.high


@thorough(10)
@given(chosen=counts)
def test_the_order_of_the_bots_does_not_matter(chosen: list[int]) -> None:
    assume(sum(chosen) > 0)
    assert pilot_effect(chosen[::-1]).raw == pytest.approx(pilot_effect(chosen).raw)


def test_shrinking_takes_the_bias_off() -> None:
    """A pilot of 200 turns whose truth is w² = .020: raw averages .035, too much by (k − 1)/n."""
    draws = np.random.default_rng(1).multinomial(200, [0.30, 0.20, 0.25, 0.25], size=4000)
    effects = [pilot_effect(draw) for draw in draws.tolist()]
    assert np.mean([effect.raw for effect in effects]) == pytest.approx(0.035, abs=0.001)
    covered = np.mean([effect.low <= 0.02 <= effect.high for effect in effects])
    assert covered == pytest.approx(0.90, abs=0.02)


def test_a_raw_pilot_plans_too_small_a_study_most_of_the_time() -> None:
    draws = np.random.default_rng(2).multinomial(200, [0.30, 0.20, 0.25, 0.25], size=4000)
    planned = [
        turns_for_effect(pilot_effect(draw).raw, bots=4) for draw in draws.tolist() if len(set(draw)) > 1
    ]
    assert np.median(planned) == pytest.approx(356, rel=0.05)
    assert np.quantile(planned, [0.05, 0.95]) == pytest.approx([137, 1758], rel=0.10)


def test_a_pilot_that_shows_only_noise_cannot_be_planned_with() -> None:
    effect = pilot_effect([50, 49, 51, 50])
    assert effect.shrunk == pytest.approx(0)
    with pytest.raises(DesignError, match="no difference beyond noise"):
        turns_for_effect(effect.shrunk, bots=4)


def test_two_effects_need_the_golden_turns() -> None:
    assert turns_for_effect(0.141421**2, bots=4) == 546
    assert turns_for_effect(0.2**2, bots=4) == 273


@thorough(10)
@given(selected=st.lists(st.integers(0, 300), min_size=3, max_size=8))
def test_the_cautious_discordance_is_never_below_what_was_seen(selected: list[int]) -> None:
    assume(sum(selected) > 0)
    pilot = pilot_discordance(selected)
    assert 0 <= pilot.seen <= pilot.cautious <= 1


def test_discordance_of_two_bots_is_the_share_of_turns_with_one_selected() -> None:
    assert pilot_discordance([10, 60, 30]).seen == pytest.approx(0.6)


def test_discordance_of_four_bots_counts_pairs() -> None:
    """Always two of four selected: four of six pairs are discordant; always one: three of six."""
    assert pilot_discordance([0, 0, 10, 0, 0]).seen == pytest.approx(4 / 6)
    assert pilot_discordance([0, 10, 0, 0, 0]).seen == pytest.approx(3 / 6)


def test_a_large_pilot_is_believed() -> None:
    pilot = pilot_discordance([0, 850_000, 150_000])
    assert pilot.cautious == pytest.approx(pilot.seen, abs=0.001)


@pytest.mark.parametrize("bad", [[], [0, 0], [-1, 5], [5]])
def test_counts_that_cannot_be_a_pilot_are_refused(bad: list[int]) -> None:
    with pytest.raises(DesignError, match=r"counts of at least 0|two bots"):
        pilot_effect(bad)
    with pytest.raises(DesignError, match=r"counts of at least 0|two bots"):
        pilot_discordance(bad)
