"""From all judgments to those that count, and how they came in over time: drawn alike for every protocol."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from duologue.protocols import RuleCount, say_count
from duologue.screening import ASKED_AGAIN, is_never_counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SET_ASIDE = {
    "onboarding": "failed onboarding",
    "attention": "failed attention checks",
    "attention-check": "attention checks",
    "repeat": "asked a second time",
    "second-judgment": "second judgments of an item",
    "no-reason": "never gave a reason",
    "late": "came too late",
    "unfinished": "left the questionnaire before its end",
    "blocked": "annotator blocked",
    "withdrawn": "annotator withdrew",
    "researcher": "by the researcher",
    "replaced": "place taken by another",
    "bot-failed": "the bot could not answer",
    "no-partner": "no partner came",
    "partner-left": "the partner left",
    "unrated": "ended without a judgment",
    "too-fast": "answered too fast to have read",
    "same-position": "always chose the same position",
    "fixed-pattern": "chose positions in a fixed pattern",
    "repeated-reason": "gave the same reason again and again",
    "shared-reason": "gave the same reason as another annotator",
    "copied-reason": "copied the reason from what was shown",
    "pasted": "pasted text",
    "unscrolled": "did not scroll to the end",
}


_BROKEN_CHATS = frozenset({"bot-failed", "no-partner", "partner-left"})
"""Rules that exclude chats which nobody could rate."""


def excluded_sentence(rule: str, judgments: int, annotators: int) -> str:
    """What a rule excluded, in a sentence.

    Example:
        >>> excluded_sentence("late", 3, 1)
        'Excluded by late: 3 judgments of 1 annotator.'
        >>> excluded_sentence("bot-failed", 1, 1)
        'Excluded without a judgment, by bot-failed: 1 chat of 1 annotator.'
        >>> excluded_sentence("repeat", 2, 2)
        'Never meant to count, by repeat: 2 judgments of 2 annotators.'
    """
    is_broken = rule in _BROKEN_CHATS
    what = ("chat" if is_broken else "judgment") + ("" if judgments == 1 else "s")
    by = say_count(annotators, "annotator")
    how = f"Excluded without a judgment, by {rule}" if is_broken else f"Excluded by {rule}"
    if is_never_counted(rule):
        how = f"Never meant to count, by {rule}"
    return f"{how}: {judgments:,} {what} of {by}."


def say_collected(
    where: str, *, collected: int, onboarding: int, rules: Sequence[RuleCount], counted: str
) -> str:
    """From all judgments to those that count, in a sentence of the methods paragraph.

    Args:
        where: The section, in words; empty where there is one.
        collected: All judgments.
        onboarding: Those of them about onboarding items.
        rules: What each rule excluded of the others.
        counted: Those that count, in words.

    Example:
        >>> rules = RuleCount("late", 1, 1), RuleCount("attention-check", 2, 2)
        >>> said = say_collected("", collected=9, onboarding=1, rules=rules, counted="5")
        >>> print(said.replace("), ", "),\\n"))
        Of 9 judgments collected, 3 were never meant to count (onboarding items: 1, attention checks: 2),
        1 was excluded; 5 count.
    """
    apart = [("onboarding items", onboarding)] if onboarding else []
    apart += [(rule_in_words(one.rule), one.judgments) for one in rules if is_never_counted(one.rule)]
    never = sum(count for _, count in apart)
    named = ", ".join(f"{name}: {count:,}" for name, count in apart)
    first = f"{never:,} were never meant to count ({named}), " if apart else ""
    excluded = sum(one.judgments for one in rules if not is_never_counted(one.rule))
    were = "was" if excluded == 1 else "were"
    return (
        f"Of {collected:,} judgments collected{where}, {first}{excluded:,} {were} excluded; {counted} count."
    )


@dataclass(frozen=True, slots=True)
class ExclusionStep:
    """A step from all judgments to those that count: how many are left, and how many it took."""

    name: str
    left: int
    taken: int
    is_total: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """Progress over time as points from 0 to 100, with what stands at its ends."""

    points: str
    first: str
    last: str
    total: int


def flow_steps(
    *, collected: int, onboarding: int, rules: Iterable[tuple[str, int]], counted: int
) -> tuple[ExclusionStep, ...]:
    """From all judgments collected, through each rule, to those that count.

    Example:
        >>> [step.left for step in flow_steps(collected=9, onboarding=2, rules=[("late", 1)], counted=6)]
        [9, 7, 6, 6]
    """
    left = collected
    steps = [ExclusionStep("collected", left, 0, is_total=True)]
    takes = [("onboarding items", onboarding)] if onboarding else []
    takes += [(rule_in_words(rule), judgments) for rule, judgments in rules]
    for name, taken in takes:
        left -= taken
        steps.append(ExclusionStep(name, left, taken, is_total=False))
    return (*steps, ExclusionStep("count", counted, 0, is_total=True))


def rule_in_words(rule: str) -> str:
    """What a rule excluded, as the steps name it.

    Example:
        >>> rule_in_words("late"), rule_in_words("chat:few-words"), rule_in_words("our own")
        ('came too late', 'chat flagged: few-words', 'our own')
    """
    if rule.startswith("chat:"):
        return f"chat flagged: {rule.removeprefix('chat:')}"
    if rule.startswith(ASKED_AGAIN):
        return f"asked again (addendum {rule.removeprefix(ASKED_AGAIN)})"
    return _SET_ASIDE.get(rule, rule)


def why_no_curve(counted: int, *, is_known: bool) -> str:
    """Why `curve_over_time` draws nothing.

    Args:
        counted: How many judgments count.
        is_known: Whether any time is known.

    Example:
        >>> why_no_curve(0, is_known=False), why_no_curve(9, is_known=True)
        ('fewer than two judgments count', 'all judgments that count were given in the same second')
    """
    if counted < 2:
        return "fewer than two judgments count"
    if is_known:
        return "all judgments that count were given in the same second"
    return "it is not known when judgments were given"


def curve_over_time(moments: Sequence[tuple[str, int]]) -> Curve | None:
    """How many judgments counted by each time, as a line from the lower left to the upper right."""
    if len(moments) < 2:
        return None
    times = [datetime.fromisoformat(at) for at, _ in moments]
    begin, span, total = times[0], (times[-1] - times[0]).total_seconds(), moments[-1][1]
    if not span:
        return None
    points = []
    for time, (_, judgments) in zip(times, moments, strict=True):
        x, y = 100 * (time - begin).total_seconds() / span, 100 - 100 * judgments / total
        points.append(f"{x:.2f},{y:.2f}")
    return Curve(" ".join(points), f"{times[0]:%Y-%m-%d %H:%M}", f"{times[-1]:%Y-%m-%d %H:%M}", total)
