"""A rehearsal in plain words, and as JSON for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from duologue.dialogues import Json
from duologue.rehearsal.rating_recovery import RatingRecovery
from duologue.rehearsal.recovery import Recovery
from duologue.rehearsal.results import KindResult, Rehearsal

_ENDINGS = {
    "thanks": "saw the thank-you page",
    "no-work": "found no work",
    "left": "left",
    "refused": "were refused and gave up",
    "nobody-came": "waited for a partner in vain",
}


def describe_rehearsal(rehearsal: Rehearsal) -> str:
    """What each kind of annotator did, whether the rules held, what was set aside, what was recovered."""
    count = len(rehearsal.walks)
    lines = [
        f"REHEARSAL: {count} simulated annotator{'s' * (count != 1)} walked the pages of {rehearsal.study} "
        f"(seed {rehearsal.seed}, {rehearsal.seconds:.1f} s). None of it is in the study itself.",
        "",
        "What they did",
    ]
    lines += [_kind_line(result) for result in rehearsal.kinds]
    lines += ["", "Did the rules hold?"]
    lines += [
        f"  {'yes' if rule.has_held else 'NO '}  {rule.rule}: at most {rule.limit}, seen {rule.seen}"
        for rule in rehearsal.rules
    ]
    lines += ["", "What was set aside", *_excluded_lines(rehearsal)]
    is_rated = any(isinstance(recovery, RatingRecovery) for recovery in rehearsal.recoveries)
    question = "rate higher" if is_rated else "prefer"
    lines += ["", f"Did the analysis find what careful annotators {question}?"]
    lines += [line for recovery in rehearsal.recoveries for line in _recovery_lines(recovery)]
    if not rehearsal.recoveries:
        lines.append("  there are no two bots to tell apart")
    if rehearsal.report is not None:
        lines += ["", f"Report: {rehearsal.report}"]
    return "\n".join(lines)


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
            }
            for result in rehearsal.kinds
        ],
        "rules": [
            {"rule": rule.rule, "limit": rule.limit, "seen": rule.seen, "has_held": rule.has_held}
            for rule in rehearsal.rules
        ],
        "rules_have_held": rehearsal.rules_have_held,
        "recoveries": [_recovery_record(recovery) for recovery in rehearsal.recoveries],
    }


def _recovery_record(recovery: Recovery | RatingRecovery) -> dict[str, Json]:
    found: dict[str, Json]
    if isinstance(recovery, RatingRecovery):
        found = {
            "question": recovery.question,
            "first": recovery.first,
            "second": recovery.second,
            "true_means": list(recovery.true_means),
            "means": list(recovery.means),
            "ratings": recovery.ratings,
        }
    else:
        found = {
            "first": recovery.first,
            "second": recovery.second,
            "true_rate": recovery.true_rate,
            "win_rate": recovery.win_rate,
            "judgments": recovery.judgments,
        }
    return {"arm": recovery.arm, **found, "finding": recovery.finding, "verdict": recovery.sentence}


def _kind_line(result: KindResult) -> str:
    endings = ", ".join(f"{count} {_ENDINGS[ending]}" for ending, count in result.endings.items())
    flagged = f", {result.flagged} flagged" if result.flagged else ""
    return (
        f"  {result.annotators:>3} {result.kind} ({result.does}): "
        f"{result.judgments} judgments, {result.counted} counted{flagged}; {endings}"
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
        yield f"  {rule}: {count} judgments ({kinds})"
    if not rules:
        yield "  nothing"


def _recovery_lines(recovery: Recovery | RatingRecovery) -> Iterator[str]:
    """What is true and what was found, told of the truly better bot."""
    if isinstance(recovery, RatingRecovery):
        yield from _rating_lines(recovery)
        return
    is_first = recovery.true_rate >= 0.5
    better, other = (recovery.first, recovery.second) if is_first else (recovery.second, recovery.first)
    true_rate = recovery.true_rate if is_first else 1 - recovery.true_rate
    found = "nobody judged"
    if recovery.win_rate is not None:
        found = f"estimated {recovery.win_rate if is_first else 1 - recovery.win_rate:.0%}"
    arm = "" if recovery.arm in ("", "main") else f" (arm {recovery.arm})"
    rates = f"true rate {true_rate:.0%}, {found}".replace("%", " %")
    yield f"  {recovery.finding}: {better} over {other}{arm}, {rates}"
    yield f"    {recovery.sentence}"


def _rating_lines(recovery: RatingRecovery) -> Iterator[str]:
    order = (0, 1) if recovery.true_means[0] >= recovery.true_means[1] else (1, 0)
    better, other = ((recovery.first, recovery.second)[place] for place in order)
    true = " and ".join(f"{recovery.true_means[place]:.2f}" for place in order)
    found = " and ".join(f"{recovery.means[place]:.2f}" for place in order)
    arm = "" if recovery.arm in ("", "main") else f" (arm {recovery.arm})"
    what = f"{recovery.question} of {better} over {other}{arm}"
    yield f"  {recovery.finding}: {what}, true means {true}, estimated {found}"
    yield f"    {recovery.sentence}"
