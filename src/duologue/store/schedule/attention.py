"""Attention checks: where they come among the judged items of an annotator, and what failing them does."""

from __future__ import annotations

from itertools import pairwise

from duologue.store.sittings.orders import random_number
from duologue.studies import AttentionTable


def checks_due(attention: AttentionTable, *, seed: int, annotator: str, judged: int, cap: int) -> int:
    """How many attention checks come before the next item of an annotator who has judged so many.

    One comes in every ``every`` judged items, or ``per_sitting`` are spread over all; where in each stretch
    is random from the study's seed, and neither before its first item nor after its last.

    Args:
        attention: What the study says.
        seed: The study's.
        annotator: The annotator's id.
        judged: What they have judged so far.
        cap: What they may judge in all.

    Example:
        >>> settings = AttentionTable(every=5)
        >>> due = [checks_due(settings, seed=1, annotator="a", judged=n, cap=10) for n in range(11)]
        >>> (due[0], due[4], due[5], due[9])
        (0, 1, 1, 2)
    """

    def place(stretch: int, places: int) -> int:
        return random_number(seed, "attention", f"{annotator}\0{stretch}") % places

    if attention.every is not None:
        whole, rest = divmod(judged, attention.every)
        return whole + (1 + place(whole, attention.every - 1) <= rest)
    wanted = attention.per_sitting or 0
    first, places = (1, cap - 1) if cap > 1 else (0, 1)
    begins = [stretch * places // wanted for stretch in range(wanted + 1)] if wanted else []
    return sum(
        first + begin + place(stretch, max(1, end - begin)) <= judged
        for stretch, (begin, end) in enumerate(pairwise(begins))
    )


def checks_in_all(attention: AttentionTable, *, seed: int, annotator: str, cap: int) -> int:
    """How many attention checks an annotator will have met who judges all they may."""
    return checks_due(attention, seed=seed, annotator=annotator, judged=max(0, cap - 1), cap=cap)
