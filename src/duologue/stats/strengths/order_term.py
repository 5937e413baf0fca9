"""Pooled strengths freed of the order in which bots were shown."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.stats.counts import check_numbers
from duologue.stats.rates.position import OrderEffect
from duologue.stats.strengths.cluster_scores import VoteResiduals
from duologue.stats.strengths.ties import spread

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ShownOrder:
    """How each judgment was shown, and what being shown first does.

    ``first_shown`` is 1 where the first bot of a judgment was shown first, -1 where the second was, and 0
    where nobody knows.
    """

    first_shown: ArrayLike
    effect: OrderEffect


@dataclass(frozen=True, slots=True)
class OrderShift:
    """How far strengths move with the order: they are freed of ``effect`` times ``slopes``."""

    slopes: Vector
    effect: OrderEffect

    @classmethod
    def of(
        cls, scored: VoteResiduals, inverse: NDArray[np.float64], order: ShownOrder
    ) -> tuple[OrderShift, VoteResiduals]:
        """The shift, and every residual as it is without the effect of the order.

        One step of the fit with the effect among the leads: the log-odds of a judgment are the difference of
        the strengths, and the effect times 1 or -1.

        Raises:
            BadNumber: There is not one number from -1 to 1 for each judgment.
        """
        judged, counts = scored.judged, scored.judged.counts
        shown = check_numbers("first_shown", order.first_shown, low=-1.0, high=1.0)
        low_first = judged.first < judged.second
        low, high = np.minimum(judged.first, judged.second), np.maximum(judged.first, judged.second)
        place = np.zeros((judged.bots, judged.bots), dtype=np.intp)
        place[counts.first, counts.second] = np.arange(len(counts.first))
        pair = place[low, high]
        games = np.bincount(pair, minlength=len(counts.first))
        turned = np.bincount(pair, np.where(low_first, shown, -shown), minlength=len(games))
        each = np.divide(1.0, games, out=np.zeros(len(games)), where=games > 0)
        push = spread(counts, scored.curve * turned * each)
        if scored.tie is not None:
            push = np.append(push, float((scored.lead_tie * turned * each).sum()))
        slopes = (inverse @ push)[: judged.bots]
        change = order.effect.estimate * (shown - (slopes[judged.first] - slopes[judged.second]))
        lead = scored.lead - (scored.curve * each)[pair] * change
        return cls(slopes - slopes.mean(), order.effect), replace(scored, lead=lead)

    @property
    def moved(self) -> Vector:
        """What the order adds to each strength."""
        return self.effect.estimate * self.slopes

    @property
    def variances(self) -> Vector:
        """Of each strength, from not knowing the effect exactly."""
        return np.asarray((self.effect.standard_error * self.slopes) ** 2)

    @property
    def lead_variances(self) -> NDArray[np.float64]:
        """The same of each difference of two strengths."""
        apart = self.slopes[:, None] - self.slopes[None, :]
        return np.asarray((self.effect.standard_error * apart) ** 2)
