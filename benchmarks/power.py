"""Exact power and stopping rules: how long planning takes, and how much longer a loop over p-values would.

Run it with ``python -m benchmarks.power``. Times are processor seconds, the best of a few, so that a busy
machine does not matter.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import numpy as np
from scipy import stats

from duologue.stats import (
    AllThatApply,
    SequentialPlan,
    binomial_power_curve,
    judgments_for_forced_choice,
    operating_characteristics,
    peeking,
    sample_size,
    stopping_rule,
)

LARGEST = 5_000
SECONDS_ALLOWED = 0.1
PLAIN = 200
"""How far the plain way is timed; it grows with the square of n."""


def main() -> dict[str, object]:
    """Measure, compare, and say whether the target was met."""
    numbers = np.arange(1, LARGEST + 1)
    one = seconds(lambda: binomial_power_curve([LARGEST], 0.51))
    even = seconds(lambda: binomial_power_curve(numbers, 0.51))
    skewed = seconds(lambda: binomial_power_curve(numbers, 0.79, null=0.8))
    plain = seconds(lambda: [plain_power(n, 0.6) for n in range(1, PLAIN + 1)], repeats=1)
    ours = seconds(lambda: binomial_power_curve(np.arange(1, PLAIN + 1), 0.6))
    rule = stopping_rule(SequentialPlan(gap=0.2, alpha=0.05, futility=3.5, most=600))
    return {
        f"seconds for the power of {LARGEST:,} judgments": round(one, 5),
        f"seconds for every number up to {LARGEST:,}, null 0.5": round(even, 4),
        f"seconds for every number up to {LARGEST:,}, null 0.8": round(skewed, 4),
        f"times faster than one p-value after another, up to {PLAIN}": round(plain / ours),
        "seconds to size a gap of 0.01": round(seconds(lambda: judgments_for_forced_choice(0.01)), 4),
        "seconds to size select-all-that-apply for a gap of 0.02": round(
            seconds(lambda: sample_size(AllThatApply(), 0.02)), 3
        ),
        "seconds for six operating characteristics, 600 judgments": round(
            seconds(lambda: operating_characteristics(rule, [0.5, 0.55, 0.6, 0.65, 0.7, 0.8])), 4
        ),
        "seconds for peeking up to 1,000": round(seconds(lambda: peeking(1000)), 4),
        f"met: power up to {LARGEST:,} under {SECONDS_ALLOWED} s": max(one, even, skewed) < SECONDS_ALLOWED,
    }


def plain_power(n: int, p: float) -> float:
    """Every count's p-value by scipy, and the chances of those that reject."""
    counts = [wins for wins in range(n + 1) if stats.binomtest(wins, n).pvalue <= 0.05]
    return float(sum(stats.binom.pmf(wins, n, p) for wins in counts))


def seconds(work: Callable[[], object], *, repeats: int = 5) -> float:
    """The least processor time that ``work`` took."""
    found = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


if __name__ == "__main__":
    print(json.dumps(main(), indent=1))
