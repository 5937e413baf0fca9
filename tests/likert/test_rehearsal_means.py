from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import DesignError
from duologue.likert.rehearsal.means import BEST, WORST, Means, draw_means, parse_means


@given(count=st.integers(1, 12), seed=st.integers(0, 2**32))
def test_drawn_means_differ_and_stay_on_the_scale(count: int, seed: int) -> None:
    bots = [f"bot-{number}" for number in range(count)]
    means = draw_means(bots, rng=np.random.default_rng(seed))
    found = sorted(means.mean(bot, lowest=1, highest=4) for bot in bots)
    assert len(set(found)) == count
    assert 1 + 3 * WORST - 1e-9 <= found[0] <= found[-1] <= 1 + 3 * BEST + 1e-9


def test_another_seed_draws_another_order() -> None:
    bots = [f"bot-{number}" for number in range(8)]
    first, again, other = (draw_means(bots, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_stated_mean_holds_whatever_the_scale() -> None:
    means = Means({"a": 0.0, "b": 0.5}, {"a": 3.2})
    assert means.mean("a", lowest=1, highest=5) == pytest.approx(3.2)
    assert means.mean("b", lowest=0, highest=10) == pytest.approx(5)


def test_a_bot_that_only_attention_checks_show_has_a_mean_too() -> None:
    assert Means({"a": WORST}).mean("oracle", lowest=0, highest=1) == pytest.approx((WORST + BEST) / 2)


def test_a_mean_of_a_bot_that_is_not_there_is_refused() -> None:
    with pytest.raises(DesignError, match="'oracle'; the bots of this study are a, b"):
        draw_means(["b", "a"], stated={"oracle": 2.0}, rng=np.random.default_rng(1))


@pytest.mark.parametrize(
    "text", ["companion", "=3", "companion=", "companion=high", "companion=nan", "a=inf"]
)
def test_a_mean_that_is_not_written_as_one_is_refused(text: str) -> None:
    with pytest.raises(DesignError, match="expected a bot and its true mean"):
        parse_means([text])


def test_a_mean_that_is_stated_twice_is_refused() -> None:
    with pytest.raises(DesignError, match="twice"):
        parse_means(["a=1", "a=2"])


def test_a_bot_may_have_an_equals_sign_in_its_name() -> None:
    assert parse_means(["t=0.8 = 3"]) == {"t=0.8": 3.0}
