"""Random numbers from a study's seed: one stream for each stage and thing, whatever else was drawn before."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def seed_sequence(seed: int, stage: str, *names: str) -> np.random.SeedSequence:
    """The seeds of one stage of a study and of one thing in it, known by its names.

    It depends on nothing else: not on the order of arrival, nor on what other bots or annotators there are.

    Example:
        >>> one = seed_sequence(7, "pairings", "ada__vs__bea").generate_state(1)
        >>> again = seed_sequence(7, "pairings", "ada__vs__bea").generate_state(1)
        >>> bool(one == again)
        True
    """
    from numpy.random import SeedSequence

    digest = hashlib.sha256("\0".join((stage, *names)).encode("utf-8", "surrogatepass")).digest()
    return SeedSequence([seed, *(int.from_bytes(digest[at : at + 4], "big") for at in range(0, 16, 4))])
