"""The verdicts once more, on other judgments: beside the study's own, and never in their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from duologue.protocols import Outcome, Sensitivity, VerdictBeside

_ABOUT = {
    "by-hand": "judgments that the researcher excluded by hand for a reason that was not declared",
    "flagged": "judgments that screening flagged",
}


def sensitivity(
    name: str, judgments: int, verdicts: Iterable[Outcome], others: Iterable[Outcome], *, flag: str = ""
) -> Sensitivity:
    """Set verdicts beside those on other judgments.

    Args:
        name: Which judgments are left out: ``by-hand`` or ``flagged``.
        judgments: How many.
        verdicts: The study's own.
        others: Those without these judgments.
        flag: The rule by which they were flagged; empty for any.
    """
    found = {(one.part, frozenset((one.first, one.second))): one for one in others}
    beside = []
    for verdict in verdicts:
        other = found.get((verdict.part, frozenset((verdict.first, verdict.second))))
        better, n = (other.better, other.n) if other is not None else (None, 0)
        beside.append(
            VerdictBeside(
                verdict.part,
                verdict.first,
                verdict.second,
                verdict.better,
                verdict.n,
                better,
                n,
                is_changed=verdict.better != better,
            )
        )
    what = f"{_ABOUT[name]} as {flag}" if flag else _ABOUT[name]
    name = f"{name}: {flag}" if flag else name
    return Sensitivity(name, judgments, tuple(beside), _sentence(what, judgments, beside))


def _sentence(what: str, judgments: int, beside: Sequence[VerdictBeside]) -> str:
    about = f"{judgments:,} {what}"
    if judgments == 1:
        about = about.replace("judgments", "judgment", 1)
    changed = [one for one in beside if one.is_changed]
    if not changed:
        return f"Without {about}, every verdict is the same."
    said = "; ".join(
        f"{one.first} and {one.second}{f' ({one.where})' if one.where else ''}: {_claim(one.better)} with "
        f"them, {_claim(one.other)} without"
        for one in changed
    )
    return (
        f"Without {about}, {len(changed):,} of {len(beside):,} verdicts would be another: {said}. The "
        "verdicts that stand are those by the declared rules, with them."
    )


def _claim(better: str | None) -> str:
    return f"{better} better" if better else "no difference detected"
