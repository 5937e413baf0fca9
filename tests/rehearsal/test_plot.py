from __future__ import annotations

import pytest

from duologue.errors import DesignError
from duologue.protocols import CHAT, ChatPlan, Item
from duologue.rehearsal.kinds import MIX, RATING_MIX
from duologue.rehearsal.plot import plot_for

PAIRING = Item("p", "a__vs__b", ("a", "b"), ("d1", "d2"), ("s", "s"))
READ = Item("r", "a", ("a",), ("d1",), ("s",))
LIVE = Item("c", "a", ("a",), (), (), extras={CHAT: ChatPlan().record()})


def test_where_two_bots_are_shown_they_are_compared() -> None:
    plot = plot_for([PAIRING], preferences={("a", "b"): 0.7}, seed=7)
    assert (plot.mix, plot.noun, plot.has_chats) == (MIX, "pairing", False)
    assert plot.preferences.rate("b", "a") == pytest.approx(0.3)


def test_where_one_bot_is_shown_it_is_rated() -> None:
    plot = plot_for([READ], means={"a": 3.0}, seed=7)
    assert (plot.mix, plot.noun, plot.has_chats) == (RATING_MIX, "dialogue", False)
    assert plot.means.mean("a", lowest=1, highest=4) == 3.0


def test_a_live_chat_is_held_before_it_is_rated() -> None:
    plot = plot_for([LIVE], seed=7)
    assert (plot.noun, plot.has_chats) == ("chat", True)


def test_means_are_refused_where_bots_are_compared_and_preferences_where_they_are_rated() -> None:
    with pytest.raises(DesignError, match="say --prefer"):
        plot_for([PAIRING], means={"a": 3.0}, seed=7)
    with pytest.raises(DesignError, match="say --mean"):
        plot_for([LIVE], preferences={("a", "b"): 0.7}, seed=7)
