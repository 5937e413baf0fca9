"""The recipe that LMSYS published with Chatbot Arena (``compute_mle_elo`` of its notebook), for comparison.

Written anew from its description: a table of votes by name is resampled by rows, every vote enters twice (so
that a tie can be one win for each), a dense row of plus and minus ln 10 stands for each, and a logistic
regression without intercept and penalty gives the strengths. The notebook fits it by scikit-learn, whose
solver is the L-BFGS of scipy with the mean loss, at most 100 steps, a gradient of 1e-8 and a function
tolerance of 64 times the machine's; the same is called here, so that scikit-learn need not be installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

if TYPE_CHECKING:
    from pandas import DataFrame

Floats = NDArray[np.float64]

_SOLVER: Any = {"maxiter": 100, "maxls": 50, "gtol": 1e-8, "ftol": 64 * np.finfo(float).eps}


def bootstrap_by_rows(
    votes: DataFrame, names: list[str], rng: np.random.Generator, replicates: int
) -> Floats:
    """Strengths of so many resamples of the table, rows drawn with replacement, one row of strengths each.

    Args:
        votes: The columns ``model_a``, ``model_b`` and ``winner`` (``model_a``, ``model_b`` or ``tie``).
        names: The bots, in the order of the strengths.
        rng: Where the resamples come from.
        replicates: How many.
    """
    return np.array(
        [
            strengths_by_rows(votes.sample(frac=1.0, replace=True, random_state=rng), names)
            for _ in range(replicates)
        ]
    )


def strengths_by_rows(votes: DataFrame, names: list[str]) -> Floats:
    """Strengths in natural logarithms, their mean zero, from one table of votes."""
    import pandas as pd

    twice = pd.concat([votes, votes], ignore_index=True)
    number = pd.Series(np.arange(len(names)), index=names)
    rows, tens = np.arange(len(twice)), np.log(10.0)
    design = np.zeros((len(twice), len(names)))
    design[rows, number[twice["model_a"]].to_numpy()] = tens
    design[rows, number[twice["model_b"]].to_numpy()] = -tens
    is_half_won = (twice["winner"] == "tie").to_numpy() & (rows < len(votes))
    outcome = ((twice["winner"] == "model_a").to_numpy() | is_half_won).astype(np.float64)

    def loss(ratings: Floats) -> tuple[float, Floats]:
        leads = design @ ratings
        mean_loss = float((np.logaddexp(0.0, leads) - outcome * leads).mean())
        return mean_loss, design.T @ ((expit(leads) - outcome) / len(outcome))

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options=_SOLVER)
    return np.asarray(tens * (found.x - found.x.mean()), dtype=np.float64)
