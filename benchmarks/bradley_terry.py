"""Bradley–Terry strengths of 50 bots from 2,000,000 votes with 1,000 bootstraps, against three peers.

Run it with ``python -m benchmarks.bradley_terry``. Times are processor seconds of this process, so that a
busy machine does not matter; peers are timed on a few replicates and scaled up, which is said in the result.
The peers are the recipe that LMSYS published (every row of the table, refitted for each resample), the
aggregated variant of it in FastChat, and choix.
"""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: processor seconds are work, not waiting

import choix
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from benchmarks._arena_recipe import bootstrap_by_rows
from duologue.stats import bootstrap_strengths, bradley_terry, count_wins

BOTS = 50
VOTES = 2_000_000
REPLICATES = 1000
REPLICATES_OF_PEERS = 25
REPLICATES_BY_ROWS = 2
"""Of the published recipe, whose 1,000 would take hours."""

FASTER_THAN_LBFGS = 20.0
FASTER_THAN_CHOIX = 2.0
SLOWER_THAN_BINCOUNT = 10.0
TIMES_THE_MEMORY_OF_THE_VOTES = 3.0

_OPTIONS: Any = {"maxiter": 100, "gtol": 1e-6}

Votes = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


def main() -> dict[str, object]:
    """Measure, compare, and say which targets were met."""
    rng = np.random.default_rng(7)
    first, second, first_won = make_votes(rng)
    winners, losers = np.where(first_won, first, second), np.where(first_won, second, first)
    names = [f"bot {i}" for i in range(BOTS)]

    def fit() -> Floats:
        return bradley_terry(count_wins(winners, losers, bots=BOTS), names).strengths

    def fit_and_resample() -> Floats:
        wins = count_wins(winners, losers, bots=BOTS)
        return bootstrap_strengths(
            wins, names, rng=np.random.default_rng(1), replicates=REPLICATES
        ).replicates

    fit()  # loads and warms everything up
    one_pass, _ = fastest(lambda: np.bincount(winners * BOTS + losers, minlength=BOTS * BOTS))
    fitted, strengths = fastest(fit)
    ours, replicates = fastest(fit_and_resample)
    wins = count_wins(winners, losers, bots=BOTS)
    lbfgs, of_lbfgs = fastest(lambda: bootstrap_by_lbfgs(first, second, first_won, np.random.default_rng(2)))
    dense, of_choix = fastest(lambda: bootstrap_by_choix(wins, np.random.default_rng(3)))
    by_rows, of_rows = fastest(lambda: resample_rows(first, second, first_won, names), times=1)
    published = by_rows * REPLICATES / REPLICATES_BY_ROWS
    scale = REPLICATES / REPLICATES_OF_PEERS
    memory = peak_bytes(fit_and_resample) / (winners.nbytes + losers.nbytes) + 1
    result: dict[str, object] = {
        "bots": BOTS,
        "votes": VOTES,
        "replicates": REPLICATES,
        "peers timed on replicates": REPLICATES_OF_PEERS,
        "published recipe timed on replicates": REPLICATES_BY_ROWS,
        "seconds of one bincount": round(one_pass, 4),
        "seconds of counting and fitting": round(fitted, 4),
        "seconds of fit and bootstrap": round(ours, 3),
        "seconds of the published recipe by rows, scaled": round(published),
        "seconds of L-BFGS on aggregated rows, scaled": round(lbfgs * scale, 1),
        "seconds of choix on dense counts, scaled": round(dense * scale, 2),
        "times faster than the published recipe": round(published / ours),
        "times faster than L-BFGS": round(lbfgs * scale / ours, 1),
        "times faster than choix": round(dense * scale / ours, 1),
        "fit in bincounts": round(fitted / one_pass, 2),
        "peak memory in vote arrays": round(memory, 2),
        "largest difference of mean strengths": float(
            f"{largest_difference(strengths, of_lbfgs, of_choix, of_rows):.1e}"
        ),
        "mean error by bootstrap": round(float(replicates.std(axis=0).mean()), 5),
        "met: 20 times faster than the published recipe": published / ours >= FASTER_THAN_LBFGS,
        "met: 20 times faster than L-BFGS": lbfgs * scale / ours >= FASTER_THAN_LBFGS,
        "met: twice as fast as choix": dense * scale / ours >= FASTER_THAN_CHOIX,
        "met: fit within 10 bincounts": fitted / one_pass <= SLOWER_THAN_BINCOUNT,
        "met: memory under 3 times the votes": memory <= TIMES_THE_MEMORY_OF_THE_VOTES,
    }
    return result


def make_votes(rng: np.random.Generator) -> tuple[Votes, Votes, Bools]:
    """Votes between bots drawn at random, decided by their strengths: shown first, shown second, who won."""
    strengths = rng.normal(0, 0.5, BOTS)
    first = rng.integers(0, BOTS, VOTES)
    second = (first + rng.integers(1, BOTS, VOTES)) % BOTS
    first_won = rng.random(VOTES) < expit(strengths[first] - strengths[second])
    return first, second, first_won


def resample_rows(first: Votes, second: Votes, first_won: Bools, names: list[str]) -> Floats:
    """The published recipe, from a table of names (making the table is not timed against it by much)."""
    import pandas as pd

    called = np.array(names, dtype=object)
    votes = pd.DataFrame(
        {
            "model_a": called[first],
            "model_b": called[second],
            "winner": np.where(first_won, "model_a", "model_b"),
        }
    )
    return bootstrap_by_rows(votes, names, np.random.default_rng(4), REPLICATES_BY_ROWS)


def bootstrap_by_lbfgs(first: Votes, second: Votes, first_won: Bools, rng: np.random.Generator) -> Floats:
    """The aggregated variant of FastChat: distinct (first, second, outcome) rows, refitted by L-BFGS.

    Weights are drawn from a multinomial and divided by the number of votes; strengths are in powers of ten;
    the gradient is added up row by row; at most 100 steps to a gradient of 1e-6.
    """
    counts = np.bincount((first * BOTS + second) * 2 + first_won, minlength=2 * BOTS * BOTS)
    rows = np.flatnonzero(counts)
    pairs, outcome = np.column_stack([rows // 2 // BOTS, rows // 2 % BOTS]), (rows % 2).astype(np.float64)
    shares, signs, tens = counts[rows] / VOTES, np.array([1.0, -1.0]), np.log(10.0)

    def loss(weights: Floats, ratings: Floats) -> tuple[float, Floats]:
        chance = expit(tens * (ratings[pairs] @ signs))
        value = -float((weights * (outcome * np.log(chance) + (1 - outcome) * np.log(1 - chance))).sum())
        gradient = np.zeros(BOTS)
        np.add.at(gradient, pairs, (tens * (chance - outcome) * weights)[:, None] * signs)
        return value, gradient

    fits = []
    for _ in range(REPLICATES_OF_PEERS):
        weights = rng.multinomial(VOTES, shares) / VOTES
        found = minimize(
            partial(loss, weights), np.zeros(BOTS), jac=True, method="L-BFGS-B", options=_OPTIONS
        )
        fits.append(tens * (found.x - found.x.mean()))
    return np.array(fits)


def bootstrap_by_choix(wins: Floats, rng: np.random.Generator) -> Floats:
    """Poisson counts refitted by iterative Luce spectral ranking on the dense matrix."""
    return np.array(
        [choix.ilsr_pairwise_dense(rng.poisson(wins).astype(np.float64)) for _ in range(REPLICATES_OF_PEERS)]
    )


def fastest(work: Callable[[], NDArray[np.generic]], times: int = 3) -> tuple[float, NDArray[np.generic]]:
    """The smallest processor time of a few runs, and what the last one gave."""
    seconds = []
    for _ in range(times):
        started = time.process_time()
        result = work()
        seconds.append(time.process_time() - started)
    return min(seconds), result


def peak_bytes(work: Callable[[], object]) -> int:
    """The most memory that was held at a time, beyond what was there before."""
    tracemalloc.start()
    work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def largest_difference(strengths: NDArray[np.generic], *peers: NDArray[np.generic]) -> float:
    """How far the mean of a peer's replicates lies from our strengths: the methods agree up to resampling."""
    return max(float(np.abs(np.asarray(peer, dtype=float).mean(axis=0) - strengths).max()) for peer in peers)


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
