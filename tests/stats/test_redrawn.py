"""The chance of a verdict by drawing answers again, beside a plain twin."""

import numpy as np
import pytest
from scipy import stats

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import redrawn_power

DRAWS = 2000


def _near(chance: float, twin: float) -> bool:
    """Whether two shares of so many draws can be the same (four standard errors)."""
    spread = np.sqrt(2 * max(twin * (1 - twin), 1 / DRAWS) / DRAWS)
    return bool(abs(chance - twin) < 4 * spread)


def _chance(values: list[float], clusters: list[int], size: int, about: list[bool] | None = None) -> float:
    (found,) = redrawn_power(
        values, clusters, about, sizes=[size], draws=DRAWS, outer=2, rng=np.random.default_rng(5)
    )
    return found.chance


def test_single_comparisons_as_the_exact_test_has_it() -> None:
    wins = np.array([1.0] * 33 + [0.0] * 17)
    rng = np.random.default_rng(1)
    p = [stats.binomtest(int(rng.choice(wins, 60).sum()), 60).pvalue for _ in range(DRAWS)]
    assert _near(_chance(wins.tolist(), list(range(50)), 60), float(np.mean(np.array(p) <= 0.05)))


def test_clusters_as_a_plain_loop_has_it() -> None:
    rng = np.random.default_rng(2)
    own = rng.beta(6, 4, 20)
    values = [(rng.random(4) < rate).astype(float) for rate in own]
    flat, clusters = np.concatenate(values), np.repeat(np.arange(20), 4)

    def twin() -> bool:
        drawn = [values[n] for n in rng.integers(0, 20, 30)]
        everything = np.concatenate(drawn)
        mean, n = everything.mean(), len(everything)
        residuals = np.array([(one - mean).sum() for one in drawn])
        error = np.sqrt(30 / 29 * (residuals**2).sum()) / n
        clustered = 2 * stats.t.sf(abs(mean - 0.5) / error, 29)
        return bool(max(clustered, stats.binomtest(int(everything.sum()), n).pvalue) <= 0.05)

    assert _near(
        _chance(flat.tolist(), clusters.tolist(), 30), float(np.mean([twin() for _ in range(DRAWS)]))
    )


def test_ratings_as_a_plain_loop_has_it() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.normal(3.2, 1, 25).round(), rng.normal(2.7, 1, 25).round()
    values, about = [*first, *second], [True] * 25 + [False] * 25

    def twin() -> bool:
        drawn = rng.integers(0, 25, 40)
        difference = first[drawn] - second[drawn]
        return bool(stats.ttest_1samp(difference, 0).pvalue <= 0.05)

    chance = _chance(values, [*range(25), *range(25)], 40, about)
    assert _near(chance, float(np.mean([twin() for _ in range(DRAWS)])))


def test_graded_comparisons_are_tested_by_their_scores() -> None:
    values = [1.0, 0.75, 0.75, 0.25, 1.0, 0.75, 0.5, 0.75] * 3
    found = redrawn_power(values, range(24), sizes=[10, 40], outer=5, rng=np.random.default_rng(1))
    assert found[0].chance < found[1].chance
    assert found[1].answers == pytest.approx(40)
    assert found[1].interval.low <= found[1].interval.high


def test_what_cannot_be_drawn() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(NotEnoughJudgments):
        redrawn_power([1, 0, 1], [0, 1, 2], sizes=[5], rng=rng)
    with pytest.raises(NotEnoughJudgments):
        redrawn_power([], [], sizes=[5], rng=rng)
    with pytest.raises(BadNumber, match="sizes"):
        redrawn_power([1] * 8, range(8), sizes=[1], rng=rng)
    with pytest.raises(BadNumber, match="clusters"):
        redrawn_power([1] * 8, range(7), sizes=[5], rng=rng)
