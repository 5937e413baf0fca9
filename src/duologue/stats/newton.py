"""The top of a smooth hill: Newton's method with step-halving, for concave likelihoods."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import NDArray

from duologue.errors import NotConverged

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

STEPS = 100
LONGEST_STEP = 4.0
"""No parameter moves further than this in one step, so that Newton's method cannot run off."""

DETERMINED = 1e-13
"""The share of a parameter's information that the other parameters must leave it."""

CLOSE_ENOUGH = 1e-20
"""The squared distance to the top, in standard errors, at which to stop."""

AS_CLOSE_AS_ROUNDING_ALLOWS = 1e-8
"""Below this it is also enough that the distance no longer shrinks: counts of 10⁹ beside single ones.

A likelihood whose top is at infinity shrinks it by e at every step, and is not taken for having arrived.
"""


def maximise(
    value: Callable[[Vector], float],
    derivatives: Callable[[Vector], tuple[Vector, Matrix]],
    start: Vector,
    *,
    method: str,
) -> Vector:
    """The parameters at which a concave log-likelihood is largest.

    Args:
        value: The log-likelihood.
        derivatives: Its gradient and its information matrix (minus the second derivatives), which must be
            positive definite.
        start: Where to begin.
        method: What is being fitted, for the error message.

    Raises:
        NotConverged: The top was not reached.

    Example:
        >>> hill = lambda x: -float((x[0] - 2) ** 2)
        >>> maximise(hill, lambda x: (4 - 2 * x, 2 * np.eye(1)), np.ones(1), method="A parabola").tolist()
        [2.0]
    """
    parameters, height, before = start, value(start), np.inf
    for _ in range(STEPS):
        gradient, information = derivatives(parameters)
        step = scipy.linalg.cho_solve(factorise(information, method=method), gradient)
        distance = float(gradient @ step)
        if distance <= CLOSE_ENOUGH or 0.9 * before <= distance <= AS_CLOSE_AS_ROUNDING_ALLOWS:
            return np.asarray(parameters + step)
        before = distance
        scale = min(1.0, LONGEST_STEP / float(np.abs(step).max()))
        while (trial := value(parameters + scale * step)) < height - 1e-12 * abs(height):
            scale /= 2
        parameters, height = parameters + scale * step, trial
    raise NotConverged(method, steps=STEPS)


def factorise(information: Matrix, *, method: str) -> tuple[Matrix, bool]:
    """The Cholesky factor of an information matrix.

    Raises:
        NotConverged: The other parameters explain one of them to the last digit.
    """
    undetermined = NotConverged(method, steps=STEPS, why="The data do not determine every parameter.")
    try:
        factor, is_lower = scipy.linalg.cho_factor(information)
    except scipy.linalg.LinAlgError:
        raise undetermined from None
    if (np.diagonal(factor) ** 2 < DETERMINED * np.diagonal(information)).any():
        raise undetermined
    return factor, is_lower
