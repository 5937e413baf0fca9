"""The chance of a verdict by drawing answers again, beside a plain twin."""

import numpy as np
import pytest
from scipy import stats

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import clustered_difference, clustered_rate, redrawn_power
from tests.error_rates import why_refused

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


def _clustered_twin(values: np.ndarray, about: np.ndarray, people: list[np.ndarray], size: int) -> float:
    """How often the test of verdicts finds a difference, one draw at a time."""
    rng, found = np.random.default_rng(4), 0
    for _ in range(DRAWS):
        drawn = [people[n] for n in rng.integers(0, len(people), size)]
        rows, of = np.concatenate(drawn), np.repeat(np.arange(size), [len(one) for one in drawn])
        first = about[rows]
        try:
            test = clustered_difference(values[rows[first]], values[rows[~first]], [of[first]], [of[~first]])
        except NotEnoughJudgments:
            continue
        found += test.p_value <= 0.05
    return found / DRAWS


@pytest.mark.parametrize("size", [5, 12])
def test_ratings_of_people_who_rated_unequally_often_are_tested_as_in_verdicts(size: int) -> None:
    rng = np.random.default_rng(8)
    counts = rng.integers(1, 6, 30)
    of = np.repeat(np.arange(30), counts)
    about = rng.random(len(of)) < 0.5
    values = (3 + about * 0.8 + rng.normal(0, 0.7, 30)[of] + rng.normal(0, 0.8, len(of))).round()
    people = [np.flatnonzero(of == one) for one in range(30)]
    chance = _chance(values.tolist(), of.tolist(), size, about.tolist())
    assert _near(chance, _clustered_twin(values, about, people, size))


def test_votes_of_people_who_voted_unequally_often_are_tested_as_in_verdicts() -> None:
    rng = np.random.default_rng(9)
    own = [
        (rng.random(m) < rate).astype(float)
        for m, rate in zip([1, 1, 2, 3, 9] * 4, rng.beta(4, 2, 20), strict=True)
    ]

    def twin() -> bool:
        drawn = [own[n] for n in rng.integers(0, 20, 8)]
        votes, of = np.concatenate(drawn), np.repeat(np.arange(8), [len(one) for one in drawn])
        exact = stats.binomtest(int(votes.sum()), len(votes)).pvalue
        return bool(max(exact, clustered_rate(votes, [of]).p_value) <= 0.05)

    flat, clusters = np.concatenate(own), np.repeat(np.arange(20), [len(one) for one in own])
    assert _near(_chance(flat.tolist(), clusters.tolist(), 8), float(np.mean([twin() for _ in range(DRAWS)])))


@pytest.mark.parametrize("unequally", [False, True])
def test_identical_bots_get_a_verdict_as_rarely_as_the_test_says(unequally: bool) -> None:
    """The same ratings of both; 5 to 26 annotators, who rate one bot once, or either bot 1 to 9 times."""
    rng = np.random.default_rng(7)
    counts = rng.integers(1, 10, 60) if unequally else np.ones(60, dtype=int)
    of = np.repeat(np.arange(60), counts)
    values = np.clip(np.round(3 + rng.normal(0, 0.7, 60)[of] + rng.normal(0, 0.9, len(of))), 1, 5)
    about = rng.random(len(of)) < 0.5 if unequally else np.ones(60, dtype=bool)
    found = redrawn_power(
        np.concatenate([values, values]),
        np.concatenate([of, 60 + of]),
        np.concatenate([about, ~about]),
        sizes=[5, 8, 13, 26],
        draws=4000,
        outer=1,
        rng=np.random.default_rng(11),
    )
    assert [why_refused(round(4000 * one.chance), 4000) for one in found] == [""] * 4


def test_a_bot_with_one_rating_has_no_verdict() -> None:
    """Two who rated one bot and one who rated the other do not show how ratings of the other spread."""
    values, about = [1.0, 2.0, 1.0, 2.0, 5.0], [False] * 4 + [True]
    found = redrawn_power(
        values, range(5), about, sizes=[3], draws=DRAWS, outer=1, rng=np.random.default_rng(1)
    )
    assert found[0].chance == 0.0


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
