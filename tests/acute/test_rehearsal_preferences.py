from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.acute.rehearsal import AcuteRehearsal
from duologue.acute.rehearsal.answering import wanted_answer
from duologue.acute.rehearsal.preferences import Preferences, draw_preferences, parse_order, parse_preferences
from duologue.errors import DesignError
from duologue.protocols import Item, ask_again
from duologue.rehearsal import SimulatedAnnotator

STRENGTHS = st.floats(-5, 5)


@given(first=STRENGTHS, second=STRENGTHS)
def test_the_two_rates_of_a_matchup_add_up_to_one(first: float, second: float) -> None:
    preferences = Preferences({"a": first, "b": second})
    assert preferences.rate("a", "b") + preferences.rate("b", "a") == pytest.approx(1)
    assert (preferences.rate("a", "b") > 0.5) == (first > second) or first == pytest.approx(second)


def test_one_logit_apart_is_seventy_three_percent() -> None:
    assert Preferences({"a": 1.0, "b": 0.0}).rate("a", "b") == pytest.approx(0.7311, abs=1e-4)


def test_a_bot_against_itself_is_a_toss_up() -> None:
    assert Preferences({"a": 3.0}).rate("a", "a") == pytest.approx(0.5)


def test_a_stated_preference_holds_whichever_bot_is_named_first() -> None:
    preferences = Preferences({"a": 0.0, "b": 0.0}, {("a", "b"): 0.7})
    assert preferences.rate("a", "b") == pytest.approx(0.7)
    assert preferences.rate("b", "a") == pytest.approx(0.3)


def test_preferences_are_parsed_from_the_command_line() -> None:
    assert parse_preferences(["a b:c=0.7", "c:d=1"]) == {("a b", "c"): 0.7, ("c", "d"): 1.0}


@pytest.mark.parametrize(
    "text", ["", "a", "a:b", "a=0.5", "a:b=x", "a:b=1.5", "a:b=-0.1", "a:b=nan", "a:b:c=1", "a:a=0.5"]
)
def test_a_preference_written_otherwise_is_refused(text: str) -> None:
    with pytest.raises(DesignError, match="--prefer"):
        parse_preferences([text])


def test_a_preference_stated_twice_is_refused() -> None:
    with pytest.raises(DesignError, match="twice"):
        parse_preferences(["a:b=0.7", "b:a=0.3"])


def test_a_preference_for_an_unknown_bot_is_refused_with_the_known_ones() -> None:
    with pytest.raises(DesignError, match="'c'; the bots of this study are a, b"):
        draw_preferences(["a", "b"], stated={("a", "c"): 0.5}, rng=np.random.default_rng(1))


def test_drawn_strengths_follow_the_generator_and_not_the_order_of_the_bots() -> None:
    drawn = draw_preferences(["c", "a", "b"], rng=np.random.default_rng(4))
    again = draw_preferences(["a", "b", "c"], rng=np.random.default_rng(4))
    assert drawn == again
    assert sorted(drawn.strengths.values()) == [0, 1, 2]


BOTS = ["human", "alice", "cobe", "eliza", "smol", "constant", "iesha"]


@given(seed=st.integers(0, 2**32))
def test_unstated_matchups_never_contradict_the_stated_ones(seed: int) -> None:
    stated = {("eliza", "human"): 0.2, ("eliza", "cobe"): 0.9, ("constant", "cobe"): 0.1}
    found = draw_preferences(BOTS, stated=stated, order=("smol", "human"), rng=np.random.default_rng(seed))
    from_best = ("smol", "human", "eliza", "cobe", "constant")
    for place, bot in enumerate(from_best):
        for worse in from_best[place + 1 :]:
            assert found.rate(bot, worse) > 0.5, (bot, worse)


def test_an_order_of_all_bots_is_their_order() -> None:
    order = parse_order("human > alice > cobe>eliza > smol > constant > iesha")
    found = draw_preferences(BOTS, order=order, rng=np.random.default_rng(3))
    assert sorted(BOTS, key=lambda bot: -found.strengths[bot]) == list(order)
    assert found.rate("human", "alice") == pytest.approx(0.7311, abs=1e-4)


def test_statements_that_contradict_each_other_are_refused() -> None:
    stated = {("human", "alice"): 0.7, ("alice", "cobe"): 0.6, ("human", "cobe"): 0.3}
    with pytest.raises(DesignError, match=r"circle, \w+ > \w+ > \w+ > \w+\."):
        draw_preferences(BOTS, stated=stated, rng=np.random.default_rng(3))
    with pytest.raises(DesignError, match=r"circle"):
        draw_preferences(
            BOTS, stated={("alice", "cobe"): 0.6}, order=("cobe", "alice"), rng=np.random.default_rng(3)
        )


@pytest.mark.parametrize("text", ["a", "a >", "> a", "a > > b", "a > b > a"])
def test_an_order_written_otherwise_is_refused(text: str) -> None:
    with pytest.raises(DesignError, match="--order"):
        parse_order(text)


def test_an_order_with_an_unknown_bot_is_refused() -> None:
    with pytest.raises(DesignError, match="--order names 'x'; the bots of this study are a, b"):
        draw_preferences(["a", "b"], order=("a", "x"), rng=np.random.default_rng(1))


def test_what_is_true_when_asked_again_may_be_something_else() -> None:
    drifted = parse_preferences(["a:b=0.9"], option="--drift")
    rng = np.random.default_rng(1)
    found = draw_preferences(["a", "b", "c"], stated={("a", "b"): 0.3}, drifted=drifted, rng=rng)
    assert (found.rate("a", "b"), found.rate_again("a", "b")) == (0.3, 0.9)
    assert found.rate_again("b", "a") == pytest.approx(0.1)
    assert found.rate_again("a", "c") == found.rate("a", "c")
    with pytest.raises(DesignError, match="--drift a:b=2: expected two bots"):
        parse_preferences(["a:b=2"], option="--drift")
    with pytest.raises(DesignError, match="--drift names 'd'"):
        draw_preferences(["a", "b"], drifted={("a", "d"): 0.5}, rng=np.random.default_rng(1))


def test_drift_is_stated_of_what_is_asked_again_only() -> None:
    item = Item("p", "a__vs__b", ("a", "b"), ("d1", "d2"), ("A", "B"))
    stated = {"drift": ["b:a=0.9"]}
    rng = np.random.default_rng(1)
    with pytest.raises(DesignError, match="--drift b:a: this matchup is not asked again"):
        AcuteRehearsal().truth([item], stated, rng=rng)
    assert AcuteRehearsal().truth([item, ask_again(item, 1)], stated, rng=rng).rate_again("b", "a") == 0.9


def test_careful_annotators_go_by_what_is_true_when_asked_again() -> None:
    item = Item("p", "a__vs__b", ("a", "b"), ("d1", "d2"), ("A", "B"))
    truth = Preferences({}, {("a", "b"): 1.0}, drifted={("a", "b"): 0.0})
    careful = SimulatedAnnotator(0, "careful", True, 7)
    wanted = [wanted_answer(careful, one, truth, arm="main") for one in (item, ask_again(item, 1))]
    assert [one.slot if one else None for one in wanted] == [0, 1]
