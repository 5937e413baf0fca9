"""A rehearsal in plain words, and as JSON for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from duologue.dialogues import Json
from duologue.protocols import say_count
from duologue.rehearsal.results import KindResult, Rehearsal

_ENDINGS = {
    "thanks": "saw the thank-you page",
    "no-work": "found no work",
    "left": "left",
    "refused": "were refused and gave up",
    "nobody-came": "waited and found no partner",
}


def describe_rehearsal(rehearsal: Rehearsal) -> str:
    """What each kind of annotator did, whether the rules held, what was excluded, what was recovered."""
    came = say_count(len(rehearsal.walks), "simulated annotator")
    lines = [
        f"REHEARSAL: {came} used the pages of {rehearsal.study} "
        f"(seed {rehearsal.seed}, {rehearsal.seconds:.1f} s). No judgment of it is in the study itself.",
        "",
        "What they did",
    ]
    lines += [_kind_line(result) for result in rehearsal.kinds]
    lines += ["", "Did the rules hold?"]
    lines += [
        f"  {'yes' if rule.has_held else 'NO '}  {rule.rule}: at most {rule.limit}, seen {rule.seen}"
        for rule in rehearsal.rules
    ]
    lines += ["", "What was excluded", *_excluded_lines(rehearsal)]
    lines += ["", _reached(rehearsal)]
    lines += ["", f"Did the analysis find what careful annotators {rehearsal.sought}?"]
    for recovery in rehearsal.recoveries:
        lines += [f"  {recovery.finding}: {recovery.said}", f"    {recovery.sentence}"]
    if not rehearsal.recoveries:
        lines.append("  there are no two bots to compare")
    if rehearsal.report is not None:
        lines += ["", f"Report: {rehearsal.report}"]
    return "\n".join(lines)


def _reached(rehearsal: Rehearsal) -> str:
    """Whether the planned number of judgments was reached."""
    said = f"{rehearsal.counted:,} of {say_count(rehearsal.wanted, 'planned judgment')} count"
    used = f" {rehearsal.used}" if rehearsal.used else ""
    if rehearsal.counted >= rehearsal.wanted:
        return f"The planned number is reached: {said}.{used}"
    idle = sum(result.endings.get("no-work", 0) for result in rehearsal.kinds)
    advice = (
        f"{idle:,} of those who came found no work: more annotators may not fill it."
        if idle
        else "More annotators (--annotators) fill it."
    )
    return f"The planned number is not reached: {said}.{used} {advice}"


def rehearsal_record(rehearsal: Rehearsal) -> dict[str, Json]:
    """The same as a JSON object."""
    return {
        "rehearsal": True,
        "study": rehearsal.study,
        "folder": str(rehearsal.folder),
        "seed": rehearsal.seed,
        "annotators": len(rehearsal.walks),
        "report": None if rehearsal.report is None else str(rehearsal.report),
        "seconds": round(rehearsal.seconds, 3),
        "wanted": rehearsal.wanted,
        "counted": rehearsal.counted,
        "kinds": [
            {
                "kind": result.kind,
                "does": result.does,
                "annotators": result.annotators,
                "judgments": result.judgments,
                "counted": result.counted,
                "excluded": dict(result.excluded),
                "endings": dict(result.endings),
                **({"flagged": result.flagged} if result.flagged else {}),
                **({"credited": result.credited} if result.credited else {}),
                **({"problems": list(result.problems)} if result.problems else {}),
            }
            for result in rehearsal.kinds
        ],
        "rules": [
            {"rule": rule.rule, "limit": rule.limit, "seen": rule.seen, "has_held": rule.has_held}
            for rule in rehearsal.rules
        ],
        "rules_have_held": rehearsal.rules_have_held,
        "set_aside": list(rehearsal.set_aside),
        **({"used": rehearsal.used} if rehearsal.used else {}),
        "recoveries": [
            {**recovery.record, "finding": recovery.finding, "verdict": recovery.sentence}
            for recovery in rehearsal.recoveries
        ],
    }


def _kind_line(result: KindResult) -> str:
    endings = ", ".join(f"{count} {_ENDINGS[ending]}" for ending, count in result.endings.items())
    endings += f" ({' '.join(f'“{problem}”' for problem in result.problems)})" if result.problems else ""
    flagged = f", {result.flagged} flagged" if result.flagged else ""
    flagged += f", {say_count(result.credited, 'chat')} ended with credit" if result.credited else ""
    return (
        f"  {result.annotators:>3} {result.kind} ({result.does}): "
        f"{say_count(result.judgments, 'judgment')}, {result.counted} counted{flagged}; {endings}"
    )


def _excluded_lines(rehearsal: Rehearsal) -> Iterator[str]:
    rules: Counter[str] = Counter()
    for result in rehearsal.kinds:
        rules.update(result.excluded)
    for rule, count in sorted(rules.items()):
        kinds = ", ".join(
            f"{result.excluded[rule]} by {result.kind}"
            for result in rehearsal.kinds
            if result.excluded.get(rule)
        )
        yield f"  {rule}: {say_count(count, 'judgment')} ({kinds})"
    for said in rehearsal.set_aside:
        yield f"  {said}"
    if not rules and not rehearsal.set_aside:
        yield "  nothing"
