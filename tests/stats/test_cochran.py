"""Cochran's Q: the known rows, statsmodels as the oracle, two bots are McNemar, ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import special
from statsmodels.stats.contingency_tables import cochrans_q

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import cochran_q, mcnemar_test
from tests.stats.golden import COMPUTED, as_printed, golden_rows
from tests.strategies import thorough


@st.composite
def selections(draw: st.DrawFn, *, bots: int | None = None) -> NDArray[np.int64]:
    columns = draw(st.integers(2, 5)) if bots is None else bots
    rows = draw(
        st.lists(st.lists(st.integers(0, 1), min_size=columns, max_size=columns), min_size=1, max_size=40)
    )
    table = np.array(rows)
    assume(((table.sum(axis=1) > 0) & (table.sum(axis=1) < columns)).any())
    return table


def test_the_known_rows_come_out() -> None:
    golden = COMPUTED["cochran"]
    result = cochran_q([[int(cell) for cell in row] for row in golden["rows"]])
    assert (result.statistic, result.p_value) == (
        as_printed(golden["statistic"]),
        as_printed(golden["p_value"]),
    )
    assert (result.df, result.n, result.differing) == (3, 10, 8)


def test_known_chi_square_tails_come_out() -> None:
    for statistic, df, p_value in COMPUTED["chi_square_tails"]:
        assert float(special.chdtrc(df, float(statistic))) == as_printed(p_value)


def test_p_values_of_per_turn_table_5_are_cut_not_rounded() -> None:
    cannot = {
        ("SATA-Random", "WoW-M"),
        ("SATA-User", "TCS-M"),
    }  # no statistic that rounds to theirs gives these
    for row in golden_rows("per_turn_table_5.csv"):
        statistics = [float(row["statistic"]) + rounding for rounding in (0.005, -0.005)]
        smallest, largest = (float(special.chdtrc(int(row["df"]), statistic)) for statistic in statistics)
        reproduced = smallest - 0.001 < float(row["p_value"]) <= largest
        assert reproduced == ((row["setting"], row["comparison"]) not in cannot), row


@thorough(10)
@given(selections())
def test_q_agrees_with_statsmodels(table: NDArray[np.int64]) -> None:
    oracle = cochrans_q(table)
    ours = cochran_q(table)
    assert ours.statistic == pytest.approx(oracle.statistic)
    assert ours.p_value == pytest.approx(oracle.pvalue, abs=1e-12)
    assert ours.rates == pytest.approx(tuple(table.mean(axis=0)))


@given(selections(bots=2))
def test_for_two_bots_q_is_mcnemars_chi_square(table: NDArray[np.int64]) -> None:
    only_first, only_second = int((table[:, 0] > table[:, 1]).sum()), int((table[:, 1] > table[:, 0]).sum())
    twin = mcnemar_test(only_first, only_second, method="chi-square")
    assert cochran_q(table).statistic == pytest.approx(twin.statistic)


@given(selections(), st.randoms(use_true_random=False))
def test_the_order_of_bots_and_turns_does_not_matter(
    table: NDArray[np.int64], random: np.random.Generator
) -> None:
    rows, columns = list(range(len(table))), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    assert cochran_q(table[np.ix_(rows, columns)]).statistic == pytest.approx(cochran_q(table).statistic)


@given(selections())
def test_discordance_is_the_mean_over_pairs(table: NDArray[np.int64]) -> None:
    bots = table.shape[1]
    pairs = [(table[:, i] != table[:, j]).mean() for i in range(bots) for j in range(i)]
    assert cochran_q(table).discordance == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("table", [[[1, 1, 1], [0, 0, 0]], [[1, 1]]])
def test_turns_that_select_all_or_none_say_nothing(table: list[list[int]]) -> None:
    with pytest.raises(NotEnoughJudgments, match="some of the bots and not all"):
        cochran_q(table)


def test_tables_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadNumber, match="turns × bots"):
        cochran_q([1, 0])
    with pytest.raises(BadNumber, match="zeros and ones, and got 2"):
        cochran_q([[1, 2]])
    with pytest.raises(BadNumber, match="zeros and ones, and got nan"):
        cochran_q([[1, np.nan]])
    with pytest.raises(NotEnoughJudgments, match="2 bots"):
        cochran_q([[1], [0]])
    with pytest.raises(NotEnoughJudgments, match="1 judgments"):
        cochran_q(np.zeros((0, 3)))


@pytest.mark.slow
def test_equal_bots_are_declared_different_about_one_time_in_twenty() -> None:
    rng = np.random.default_rng(42)
    rejections = 0
    for _ in range(4000):
        liking = rng.random((200, 1))  # turns differ in how much annotators accept
        rejections += cochran_q((rng.random((200, 4)) < liking).astype(int)).p_value <= 0.05
    assert 0.04 <= rejections / 4000 <= 0.06
