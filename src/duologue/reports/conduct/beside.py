"""The verdicts once more, on other judgments: beside the study's own, and never in their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duologue.protocols import Outcome, Sensitivity, VerdictBeside, say_claim

NO_VERDICT = say_claim(None, has_verdict=False)
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
        has_other = other is not None and other.has_verdict
        beside.append(
            VerdictBeside(
                verdict.part,
                verdict.first,
                verdict.second,
                verdict.better,
                verdict.n,
                better,
                n,
                is_changed=verdict.has_verdict and has_other and verdict.better != better,
                said=verdict.said,
                other_said=NO_VERDICT if other is None else other.said,
                is_comparable=verdict.has_verdict == has_other,
            )
        )
    about = _some(judgments, f"{_ABOUT[name]} as {flag}" if flag else _ABOUT[name])
    said = f"Without {about}, {_say_changed(beside)}."
    ending = f" {_STAND}" if any(one.is_changed for one in beside) else ""
    return Sensitivity(f"{name}: {flag}" if flag else name, judgments, tuple(beside), f"{said}{ending}")


def leaves_out(found: Sensitivity) -> bool:
    """Whether any verdict rests on the judgments that are left out: other rules may have excluded them."""
    return any(one.n != one.other_n or one.said != one.other_said for one in found.verdicts)


def say_sensitivities(found: Sequence[Sensitivity]) -> Iterator[str]:
    """All of them in sentences, in which rules that come to the same verdicts are named together."""
    together: dict[tuple[object, ...], list[Sensitivity]] = {}
    for one in found:
        changed = tuple(
            (own.where, own.first, own.second, own.other_said)
            for own in one.verdicts
            if own.is_changed or not own.is_comparable
        )
        together.setdefault((_kind_of(one), _has_none_left(one.verdicts), changed), []).append(one)
    for alike in together.values():
        kind, verdicts = _kind_of(alike[0]), alike[0].verdicts
        if len(alike) > 1:
            yield f"Without {_ABOUT[kind]}, {_say_rules(alike)}, {_say_changed(verdicts, each_time=True)}."
        else:
            rule = alike[0].name.removeprefix(kind).removeprefix(": ")
            about = _some(alike[0].judgments, f"{_ABOUT[kind]} as {rule}" if rule else _ABOUT[kind])
            yield f"Without {about}, {_say_changed(verdicts)}."
    if any(own.is_changed for one in found for own in one.verdicts):
        yield _STAND


_STAND = "The verdicts of the study are those with them, by the declared rules."


def _kind_of(one: Sensitivity) -> str:
    return one.name.partition(":")[0]


def _say_rules(alike: Sequence[Sensitivity]) -> str:
    """Which rules are left out one by one, and whether all of them are."""
    rules = [(one.name.partition(": ")[2], one.judgments) for one in alike]
    named = ", ".join(f"{rule} {judgments:,}" for rule, judgments in rules if rule)
    of_all = [judgments for rule, judgments in rules if not rule]
    return f"by rule ({named})" + "".join(f" or all together ({judgments:,})" for judgments in of_all)


def _some(judgments: int, what: str) -> str:
    about = f"{judgments:,} {what}"
    return about.replace("judgments", "judgment", 1) if judgments == 1 else about


def _say_changed(beside: Sequence[VerdictBeside], *, each_time: bool = False) -> str:
    changed, often = [one for one in beside if one.is_changed], " in each case" if each_time else ""
    if _has_none_left(beside):
        return "no judgment is left, and so there is no verdict"
    if all(one.said == one.other_said == NO_VERDICT for one in beside):
        return "there is no verdict, as there is none with them"
    others = [one for one in beside if not one.is_comparable]
    of_all = f"of {len(beside):,} {'verdict' if len(beside) == 1 else 'verdicts'}"
    said = [f"every {'other ' if others else ''}verdict is the same{often}"]
    if changed:
        said = [f"{len(changed):,} {of_all} would change{often}: {_both(changed)}"]
    elif len(others) == len(beside):
        said = []
    if others:
        said.append(f"{len(others):,} {of_all} cannot be compared{often}: {_both(others)}")
    return "; ".join(said)


def _has_none_left(beside: Sequence[VerdictBeside]) -> bool:
    return not any(one.other_n for one in beside)


def _both(beside: Sequence[VerdictBeside]) -> str:
    return "; ".join(
        f"{one.first} and {one.second}{f' ({one.where})' if one.where else ''}: {one.said} with them, "
        f"{one.other_said} without"
        for one in beside
    )
