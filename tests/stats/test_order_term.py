"""Pooled strengths without the effect of the order in which bots were shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import expit

from duologue.stats import OrderEffect, ShownOrder, pooled_strengths


@pytest.mark.parametrize("ties", [0.0, 0.3])
def test_strengths_freed_of_an_order_are_those_without_it(ties: float) -> None:
    rng = np.random.default_rng(4)
    strengths, n = np.array([0.6, 0.2, 0.0, -0.8]), 40_000
    first, second = rng.integers(0, 4, n), rng.integers(1, 4, n)
    second = (first + second) % 4
    first_shown = np.where(rng.random(n) < np.where(first < second, 0.8, 0.2), 1, -1)
    won = rng.random(n) < expit(strengths[first] - strengths[second] + 0.4 * first_shown)
    preference = np.where(rng.random(n) < ties, 0.5, won)
    order = ShownOrder(first_shown, OrderEffect(0.4, 0.05))
    asked: dict[str, Any] = {"annotators": np.arange(n) % 300, "model": "davidson"}
    blind = pooled_strengths(first, second, preference, "ABCD", **asked)
    freed = pooled_strengths(first, second, preference, "ABCD", **asked, order=order)
    assert np.abs(blind.strengths - strengths).max() > 0.15
    assert freed.strengths == pytest.approx(strengths, abs=0.07)
    known = replace(order, effect=OrderEffect(0.4, 0.0))
    sure = pooled_strengths(first, second, preference, "ABCD", **asked, order=known)
    # A is shown first in 80 % of its judgments and D in 20 %: not knowing the effect weighs on A against D.
    slope = (blind.strengths - sure.strengths) / 0.4
    apart = 0.05 * np.abs(slope[0] - slope[3])
    assert freed.lead_errors[0, 3] ** 2 == pytest.approx(sure.lead_errors[0, 3] ** 2 + apart**2)
    assert freed.errors[0] ** 2 == pytest.approx(sure.errors[0] ** 2 + (0.05 * slope[0]) ** 2)
    assert blind.lack_of_fit is not None
    assert freed.lack_of_fit is not None
    assert blind.lack_of_fit.p_value < 1e-6
    assert sure.lack_of_fit is not None
    if not ties:  # with ties at random, which Davidson's model does not expect, the fit is not perfect
        assert freed.lack_of_fit.p_value > 0.05
        assert freed.dispersion == pytest.approx(1.0, abs=0.05)
