"""What is said of phrasings: the clearest of each axis, what to be careful about, what it holds for."""

from __future__ import annotations

from collections.abc import Sequence

from duologue.acute.phrasings.results import PhrasingResult
from duologue.protocols import say_count, say_list, say_p, say_percent, say_span


def say_best(
    axis: str,
    results: Sequence[PhrasingResult],
    p_adjusted: float | None,
    *,
    is_told: bool,
) -> str:
    """Which phrasing of an axis is the clearest, and whether it can be told from the next."""
    judged = [one for result in results if (one := result.judged) is not None]
    if not judged:
        return f"Nobody has judged by a phrasing of {axis} yet."
    best = judged[0]
    found = (
        f"{axis}: annotators agree most by {best.arm}, {say_percent(best.agreement)} "
        f"{say_span(best.interval.low, best.interval.high)}, n = {best.n}"
    )
    if p_adjusted is None:
        return f"{found}. No other phrasing has judgments to compare it with."
    second = judged[1]
    than = f"the next, {second.arm} ({say_percent(second.agreement)}, n = {second.n})"
    if is_told:
        return f"{found}. It can be told from {than}, {say_p(p_adjusted)}, and so from all others."
    return f"{found}. It cannot be told from {than}, {say_p(p_adjusted)}: either may be the clearer one."


def notes_on(results: Sequence[PhrasingResult]) -> list[str]:
    """What a reader of the ranking must know."""
    notes = []
    judged = [one for one in results if one.n]
    sides: dict[tuple[str, str], dict[str, list[str]]] = {}
    for one in (one for one in judged if one.is_significant):
        for pair in (pair for pair in one.pairs if len(one.pairs) == 1):
            sides.setdefault((pair.first, pair.second), {}).setdefault(pair.modal, []).append(one.arm)
    for bots, by_modal in sides.items():
        if len(by_modal) > 1:
            said = "; ".join(f"{modal} by {say_list(arms)}" for modal, arms in sorted(by_modal.items()))
            notes.append(
                f"The phrasings point different ways about {say_list(bots)}: most choose {said}. They may "
                "not measure the same thing."
            )
    if judged and not judged[0].is_significant:
        notes.append(
            "For no phrasing is the agreement of annotators beyond chance: ask more annotators, or pick a "
            "pair with a clearer difference."
        )
    elif any(not one.is_significant for one in judged):
        weak = [one.arm for one in judged if not one.is_significant]
        notes.append(f"Agreement like that by {say_list(weak)} may be chance.")
    missing = [one for one in results if one.planned and one.n < one.planned]
    if missing:
        of = say_list(f"{one.arm} ({one.n} of {one.planned})" for one in missing)
        notes.append(f"Judgments of {of} are missing: these numbers are an interim look.")
    return notes


def say_scope(pairs: int) -> str:
    """What the numbers hold for."""
    if pairs == 1:
        return (
            "All phrasings were asked about one pair of dialogues: the numbers hold for this "
            "pair. They tell how uniformly a phrasing is understood, not which bot is better."
        )
    return (
        f"Phrasings were asked about {say_count(pairs, 'pair')} of dialogues: the numbers hold for these. "
        "They tell how uniformly a phrasing is understood, not which bot is better."
    )


def say_family(phrasings: int, axes: int, alpha: float) -> str:
    """Which tests share the error rate."""
    text = (
        "A star marks agreement beyond coin flips: exact binomial test, Holm over "
        f"{say_count(phrasings, 'phrasing')}, p ≤ {alpha:g}."
    )
    if axes > 1:
        text += f" The first phrasing of each axis is compared with the second, Holm over {axes} axes."
    return text
