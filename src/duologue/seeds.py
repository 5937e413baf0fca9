"""Random numbers from a study's seed: one stream for each stage and thing, whatever else was drawn before."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint32]

_MASK = 0xFFFFFFFF


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

    digest = _digest(stage, *names)
    return SeedSequence([seed, *(int.from_bytes(digest[at : at + 4], "big") for at in range(0, 16, 4))])


def _digest(stage: str, *names: str) -> bytes:
    return hashlib.sha256("\0".join((stage, *names)).encode("utf-8", "surrogatepass")).digest()[:16]


def first_numbers(seed: int, stage: str, names: Sequence[str]) -> list[int]:
    """The first 32-bit number of the seed sequence of each of many things, all at once.

    The arithmetic is that of `numpy.random.SeedSequence` (O'Neill 2015, ``seed_seq_fe128``), on arrays: for
    a million things one by one it would take longer than storing them.

    Example:
        >>> one_by_one = [int(seed_sequence(7, "order", name).generate_state(1)[0]) for name in "ab"]
        >>> first_numbers(7, "order", ["a", "b"]) == one_by_one
        True
    """
    import numpy as np

    texts = [f"{stage}\0{name}".encode("utf-8", "surrogatepass") for name in names]
    digests = b"".join([hashlib.sha256(text).digest()[:16] for text in texts])
    words = np.frombuffer(digests, dtype=">u4").astype(np.uint32).reshape(-1, 4)
    of_seed = [seed >> at & _MASK for at in range(0, max(1, seed.bit_length()), 32)]
    entropy = [np.full(len(words), word, np.uint32) for word in of_seed] + list(words.T)
    constant = 0x43B0D7E5

    def hashed(value: Words) -> Words:
        nonlocal constant
        value = value ^ np.uint32(constant)
        constant = constant * 0x931E8875 & _MASK
        value = value * np.uint32(constant)
        value ^= value >> np.uint32(16)
        return value

    def mixed(one: Words, other: Words) -> Words:
        result: Words = np.uint32(0xCA01F9DD) * one - np.uint32(0x4973F715) * other
        result ^= result >> np.uint32(16)
        return result

    pool = [hashed(word) for word in entropy[:4]]
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = mixed(pool[target], hashed(pool[source]))
    for word in entropy[4:]:
        for target in range(4):
            pool[target] = mixed(pool[target], hashed(word))
    state = (pool[0] ^ np.uint32(0x8B51F9DD)) * np.uint32(0x8B51F9DD * 0x58F38DED & _MASK)
    found: list[int] = (state ^ state >> np.uint32(16)).tolist()
    return found
