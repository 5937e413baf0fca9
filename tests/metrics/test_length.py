from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from duologue.metrics import turn_lengths
from tests.metrics.dialogues import live_chat, self_chat


@given(st.lists(st.integers(1, 30), min_size=1, max_size=30))
def test_quantiles_are_lengths_that_occur(lengths: list[int]) -> None:
    """Against numpy's inverse of the empirical distribution."""
    found = turn_lengths([self_chat(*("word " * length for length in lengths))])["ada"]
    quarter, median, three_quarters = np.quantile(lengths, [0.25, 0.5, 0.75], method="inverted_cdf")
    assert (found.least, found.most, found.n) == (min(lengths), max(lengths), len(lengths))
    assert (found.quarter, found.median, found.three_quarters) == (quarter, median, three_quarters)
    assert abs(found.mean - float(np.mean(lengths))) < 1e-9


def test_only_the_bots_own_turns_are_measured() -> None:
    assert turn_lengths([live_chat("one two three", "one")])["ada"].most == 1


def test_words_are_counted_in_scripts_without_blanks_too() -> None:
    assert turn_lengths([self_chat("我喜欢茶。", "I don't, you do")])["ada"].most == 4
    assert turn_lengths([self_chat("我喜欢茶。")])["ada"].most == 4
