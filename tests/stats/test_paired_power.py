"""Power of McNemar's test: enumerated tables as the twin, published and enumerated goldens, properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from duologue.errors import DesignError
from duologue.stats.paired.mcnemar import McNemarMethod
from duologue.stats.planning.binomial_power import binomial_power_curve
from duologue.stats.planning.paired_power import mcnemar_power, paired_region
from tests.strategies import thorough

TESTS: tuple[McNemarMethod, ...] = ("mid-p", "exact", "chi-square", "corrected")


def p_value(first: int, second: int, test: McNemarMethod) -> float:
    """The twin's p-value of one table; exact and chi-square ones by statsmodels."""
    if first + second == 0:
        return 1.0
    if test == "mid-p":
        exact = stats.binomtest(first, first + second).pvalue
        seen = stats.binom.pmf(first, first + second, 0.5)
        return float(exact - seen) if first != second else float(1 - seen)
    table = [[0, first], [second, 0]]
    result = mcnemar(table, exact=test == "exact", correction=test == "corrected")
    return float(result.pvalue)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(("n", "gap", "discordance"), [(14, 0.3, 0.6), (25, 0.1, 0.4), (20, 0.0, 0.9)])
def test_power_is_what_enumerating_every_table_gives(
    n: int, gap: float, discordance: float, test: McNemarMethod
) -> None:
    only_first, only_second = (discordance + gap) / 2, (discordance - gap) / 2
    chances = stats.multinomial(n, [only_first, only_second, 1 - discordance])
    enumerated = sum(
        chances.pmf([first, second, n - first - second])
        for first in range(n + 1)
        for second in range(n + 1 - first)
        if p_value(first, second, test) <= 0.05
    )
    power = mcnemar_power([n], gap, discordance=discordance, test=test)[0]
    assert power == pytest.approx(enumerated, abs=1e-10)


@pytest.mark.parametrize(
    ("test", "power", "size"),
    [("exact", 0.7899, 0.0454), ("mid-p", 0.8014, 0.0499), ("chi-square", 0.8021, 0.0502)],
)
def test_power_and_size_at_the_667_turns_of_the_per_turn_paper(
    test: McNemarMethod, power: float, size: float
) -> None:
    assert mcnemar_power([667], 0.1, discordance=0.85, test=test)[0] == pytest.approx(power, abs=5e-5)
    assert mcnemar_power([667], 0.0, discordance=0.85, test=test)[0] == pytest.approx(size, abs=5e-5)


@thorough(10)
@given(n=st.integers(0, 400), gap=st.floats(0, 1))
def test_with_every_turn_discordant_it_is_a_forced_choice(n: int, gap: float) -> None:
    paired = mcnemar_power([n], gap, discordance=1.0, test="exact")[0]
    assert paired == pytest.approx(binomial_power_curve([n], (1 + gap) / 2)[0], abs=1e-12)


@thorough(10)
@given(
    n=st.integers(0, 600),
    discordance=st.floats(0.02, 1),
    share=st.floats(0, 1),
    test=st.sampled_from(TESTS),
)
def test_swapping_the_two_bots_keeps_the_power(
    n: int, discordance: float, share: float, test: McNemarMethod
) -> None:
    gap = share * discordance
    ours = mcnemar_power([n], gap, discordance=discordance, test=test)[0]
    theirs = mcnemar_power([n], -gap, discordance=discordance, test=test)[0]
    assert ours == pytest.approx(theirs, abs=1e-9)


@thorough(10)
@given(n=st.integers(0, 2000), discordance=st.floats(0.01, 1), alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_the_exact_test_never_exceeds_its_level(n: int, discordance: float, alpha: float) -> None:
    assert mcnemar_power([n], 0.0, discordance=discordance, alpha=alpha, test="exact")[0] <= alpha


def test_many_numbers_at_once_are_the_same_as_one_at_a_time() -> None:
    n = np.array([0, 1, 7, 50, 667, 5000])
    together = mcnemar_power(n, 0.1, discordance=0.5)
    alone = [mcnemar_power([one], 0.1, discordance=0.5)[0] for one in n]
    assert together == pytest.approx(alone, abs=1e-12)


def test_the_chi_square_region_is_where_the_statistic_is_large() -> None:
    region = paired_region(np.arange(1, 200), alpha=0.05, test="chi-square")
    needed = stats.chi2.isf(0.05, 1)
    for m, low, high in zip(region.n, region.low, region.high, strict=True):
        rejected = [b for b in range(m + 1) if (2 * b - m) ** 2 / m >= needed]
        assert rejected == [b for b in range(m + 1) if b <= low or b >= high]


def test_no_turn_has_no_power() -> None:
    assert mcnemar_power([], 0.1, discordance=0.5).size == 0
    assert mcnemar_power([0], 0.1, discordance=0.5).tolist() == pytest.approx([0])


def test_a_gap_larger_than_the_discordance_is_refused() -> None:
    with pytest.raises(DesignError, match="Plan a smaller gap or more discordance"):
        mcnemar_power([100], 0.3, discordance=0.2)


@pytest.mark.parametrize("discordance", [0.0, -0.1, 1.2, float("nan")])
def test_a_discordance_that_is_no_share_is_refused(discordance: float) -> None:
    with pytest.raises(DesignError, match="discordance"):
        mcnemar_power([100], 0.0, discordance=discordance)


def test_a_negative_number_of_turns_is_refused() -> None:
    with pytest.raises(DesignError, match="must not be negative; got -1"):
        mcnemar_power([-1], 0.1, discordance=0.5)
