"""Candidates for examples that have none, and the order in which a bot is shown them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from duologue.errors import DesignError
from duologue.metrics.predictions.records import HeldOutExample
from duologue.metrics.texts.normalising import normal_texts
from duologue.seeds import seed_sequence

DISTRACTORS = 19


def with_distractors(
    examples: Sequence[HeldOutExample], *, number: int = DISTRACTORS, seed: int = 0
) -> tuple[HeldOutExample, ...]:
    """The examples, each with candidates: its own, or its first reference and random replies of others.

    No distractor is a reference of the example after the normalisation, and none is there twice. The seed
    and the example decide, so that every bot gets the same ones.

    Raises:
        DesignError: The test set has too few different replies.

    Example:
        >>> some = [HeldOutExample(str(n), "d", references=(f"reply {n}",)) for n in range(5)]
        >>> [len(one.candidates) for one in with_distractors(some, number=3)]
        [4, 4, 4, 4, 4]
    """
    replies = list(dict.fromkeys(one.references[0] for one in examples if one.references))
    normal = normal_texts(replies)
    made = []
    for one in examples:
        if one.candidates or not one.references:
            made.append(one)
            continue
        rng = np.random.default_rng(seed_sequence(seed, "distractors", one.id))
        taken, chosen = set(normal_texts(one.references)), [one.references[0]]
        for place in rng.permutation(len(replies)) if len(replies) < 1000 else _draws(rng, len(replies)):
            if len(chosen) > number:
                break
            if normal[place] not in taken:
                taken.add(normal[place])
                chosen.append(replies[place])
        if len(chosen) <= number:
            why = f"there are {len(chosen) - 1} different replies of others, and {number} are asked for"
            raise DesignError(f"example {one.id}: {why}. Ask for fewer with --distractors.")
        made.append(replace(one, candidates=tuple(chosen)))
    return tuple(made)


def _draws(rng: np.random.Generator, size: int) -> list[int]:
    """More places than are needed, without ordering all of them."""
    drawn: list[int] = rng.choice(size, size=min(size, 500), replace=False, shuffle=False).tolist()
    return drawn


def shown_candidates(
    example: HeldOutExample, *, with_parrot: bool, seed: int
) -> tuple[tuple[str, ...], int | None]:
    """The candidates in random order, so that their places say nothing, and where the parrot is, if any.

    Example:
        >>> one = HeldOutExample("1", "d", ("hi", "do you ski ?"), candidates=("yes", "no"))
        >>> shown, parrot = shown_candidates(one, with_parrot=True, seed=1)
        >>> sorted(shown), shown[parrot]
        (['do you ski ?', 'no', 'yes'], 'do you ski ?')
    """
    parrots = (example.context[-1],) if with_parrot and example.context else ()
    texts = (*example.candidates, *parrots)
    rng = np.random.default_rng(seed_sequence(seed, "candidates", example.id))
    order = rng.permutation(len(texts)).tolist()
    return tuple(texts[place] for place in order), order.index(len(texts) - 1) if parrots else None
