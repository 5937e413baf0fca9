"""The one rule by which an error rate found by simulation is accepted.

Seeds are fixed before, and 4,000 studies are simulated for each null: a rate is too high when the lower
95 % bound is above the 5 % that is promised, or when more than 6 % are observed.
"""

from scipy.stats import binomtest

STUDIES = 4_000
PROMISED = 0.05
OBSERVED_AT_MOST = 0.06


def why_refused(errors: int, studies: int = STUDIES) -> str:
    """Why an error rate is too high; empty when it is accepted."""
    rate = errors / studies
    low = binomtest(errors, studies).proportion_ci(0.95).low
    if rate > OBSERVED_AT_MOST or low > PROMISED:
        return f"{errors:,} of {studies:,} studies err: {rate:.4f}, at least {low:.4f}"
    return ""
