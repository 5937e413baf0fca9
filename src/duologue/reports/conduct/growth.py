"""What was added to a study after its first judgment, and what its earlier verdicts are now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duologue.protocols import Addendum, Growth, Outcome, VerdictBeside, say_claim, say_count, say_list
from duologue.studies import addendum_file


def growth_of(addenda: Sequence[Addendum], verdicts: Sequence[Outcome], *, noun: str) -> tuple[Growth, ...]:
    """Every addendum with the verdicts then and now.

    Args:
        addenda: The first one first.
        verdicts: What the study says now; nothing where nobody looks at that.
        noun: What a group of judgments is called.
    """
    now = {(one.part, one.first, one.second): one for one in verdicts}
    found = []
    for one in addenda:
        beside = tuple(_beside(one, now)) if verdicts else ()
        found.append(Growth(one, _sentence(one, beside, noun), beside))
    return tuple(found)


def _beside(addendum: Addendum, now: dict[tuple[str, str, str], Outcome]) -> Iterator[VerdictBeside]:
    parts = {then.part for then in addendum.verdicts}
    for then in addendum.verdicts:
        current = now.get((then.part, then.first, then.second))
        better, n = (None, 0) if current is None else (current.better, current.n)
        has_verdict = current is not None and current.has_verdict
        yield VerdictBeside(
            then.part if len(parts) > 1 else "",
            then.first,
            then.second,
            better,
            n,
            then.better,
            then.n,
            is_changed=has_verdict and then.has_verdict and then.better != better,
            said=say_claim(None, has_verdict=False) if current is None else current.said,
            other_said=say_claim(then.better, has_verdict=then.has_verdict),
            is_comparable=has_verdict == then.has_verdict,
        )


def _sentence(addendum: Addendum, beside: Sequence[VerdictBeside], noun: str) -> str:
    were = "was" if len(addendum.adds) == 1 else "were"
    again = (
        f"{say_count(addendum.asked_again, 'judgment')} were planned to ask earlier {noun}s again"
        if addendum.asked_again
        else f"no earlier {noun} is asked again"
    )
    said = (
        f"Addendum {addendum.number} to the plan, {addendum.at[:10]} {addendum.at[11:16]} UTC "
        f"({addendum_file(addendum.number)}, SHA-256 {addendum.hash}): {say_list(addendum.adds)} {were} "
        f"added, with {say_count(len(addendum.groups), noun)} and "
        f"{say_count(addendum.judgments, 'judgment')}, a family of "
        f"{'its' if len(addendum.groups) == 1 else 'their'} own; {again}."
    )
    if addendum.is_interim:
        said += " The verdicts kept then were those of an interim look."
    if not beside:
        return said
    changed = [one for one in beside if one.is_changed]
    others = [one for one in beside if not one.is_comparable]
    of_all = f"of {len(beside):,} verdicts of that day"
    if not changed and not others:
        return f"{said} All {len(beside):,} verdicts of that day are the same now."
    if changed:
        said += f" {len(changed):,} {of_all} have changed: {_then_and_now(addendum, changed)}."
    if others:
        said += f" {len(others):,} {of_all} cannot be compared: {_then_and_now(addendum, others)}."
    return said


def _then_and_now(addendum: Addendum, beside: Sequence[VerdictBeside]) -> str:
    listed = "; ".join(
        f"{one.first} and {one.second}{f' ({one.where})' if one.where else ''}: {one.other_said} on "
        f"{addendum.at[:10]}, {one.said} now"
        for one in beside[:_LISTED]
    )
    return listed + (f"; and {len(beside) - _LISTED:,} more" if len(beside) > _LISTED else "")


_LISTED = 5
