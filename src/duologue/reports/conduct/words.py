"""How a study was conducted in sentences for a paper, and as lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duologue.protocols import ONLY_ARM, Conduct, Meetings, ParticipantStep, ReportedPlan, say_list, say_work
from duologue.reports.conduct.beside import say_sensitivities
from duologue.reports.flow import rule_in_words

INTERIM = "The plan has no interim looks."


def say_participants(steps: Sequence[ParticipantStep]) -> str:
    """From the invited to the analysed, and who was not analysed.

    Example:
        >>> steps = [ParticipantStep("invited", 9), ParticipantStep("never began", 1, is_loss=True)]
        >>> say_participants([*steps, ParticipantStep("consented", 8), ParticipantStep("analysed", 8)])
        'Of 9 annotators invited, 8 consented and 8 were analysed (not analysed: 1 never began).'
    """
    reached = [step for step in steps if not step.is_loss]
    if not reached:
        return ""
    first, *rest = reached
    said = say_list(f"{step.annotators:,} {_were(step)}" for step in rest)
    lost = ", ".join(f"{step.annotators:,} {step.name}" for step in steps if step.is_loss)
    people = "annotator" if first.annotators == 1 else "annotators"
    is_how = first.name.startswith(("invited", "recruited"))
    who = f"{people} {first.name}" if is_how else f"{people} who {first.name}"
    return f"Of {first.annotators:,} {who}, {said}" + (f" (not analysed: {lost})." if lost else ".")


def _were(step: ParticipantStep) -> str:
    if step.name != "analysed":
        return step.name
    return "was analysed" if step.annotators == 1 else "were analysed"


def say_meetings(meetings: Meetings | None, *, group: str = "") -> str:
    """How often one annotator met the same bot at most, in judgments that count.

    Checks, items that came a second time and what was excluded come on top.

    Args:
        meetings: What was counted; None where no judgment counts.
        group: What a group of judgments is called, where it is not a bot.

    Example:
        >>> say_meetings(Meetings(2, 1, 3), group="matchup")[-72:]
        'judged the same matchup at most once and met the same bot at most twice.'
        >>> say_meetings(Meetings(1, 1, 3))
        'In judgments that count, one annotator met the same bot at most once.'
    """
    if meetings is None:
        return ""
    same = f"judged the same {group} at most {_times(meetings.most_of_a_group)} and " if group else ""
    times = _times(meetings.most_of_a_bot)
    return f"In judgments that count, one annotator {same}met the same bot at most {times}."


def say_preregistered(conduct: Conduct) -> Iterator[str]:
    """The plan, whether it was kept, and the looks: the one place that says "preregistered"."""
    if conduct.plan is not None:
        yield (
            "Design, numbers of judgments, test and exclusion rules were preregistered: frozen with the "
            f"first judgment on {conduct.plan.frozen_at[:10]} (plan.json, SHA-256 {conduct.plan.hash[:16]}…)."
        )
        if conduct.deviations:
            yield f"Deviations from this plan: {' '.join(conduct.deviations)}"
        else:
            yield "There were no deviations from this plan."
    for one in conduct.growth:
        yield one.sentence
    if conduct.looks and not any(INTERIM in said for said in conduct.deviations):
        yield conduct.looks_sentence


def say_credited(*, arm: str, group: str, why: str, chats: int, annotators: int, seconds: float) -> str:
    """Live chats of a group that ended with credit.

    Example:
        >>> said = say_credited(
        ...     arm="main", group="kaspar", why="bot-failed", chats=2, annotators=1, seconds=150
        ... )
        >>> print(said.replace(", ", ",\\n"))
        kaspar: 2 live chats of 1 annotator (2.5 person-minutes) ended with credit,
        without a judgment: the bot could not answer.
    """
    which = group if arm == ONLY_ARM else f"{group} (arm {arm})"
    time = say_work(seconds / 3600)
    many = "1 live chat" if chats == 1 else f"{chats:,} live chats"
    people = "1 annotator" if annotators == 1 else f"{annotators:,} annotators"
    return (
        f"{which}: {many} of {people} ({time}) ended with credit, without a judgment: {rule_in_words(why)}."
    )


def conduct_lines(conduct: Conduct, *, with_plan: bool = False) -> Iterator[str]:
    """Deviations from the plan, looks and exclusions by hand, for the terminal; the plan itself if wanted."""
    yield conduct.plan_sentence
    if conduct.plan is not None:
        if with_plan:
            yield from _plan_lines(conduct.plan)
        yield f"Deviations from the plan: {len(conduct.deviations) or 'none'}."
        yield from (f"  · {said}" for said in conduct.deviations)
    yield from (one.sentence for one in conduct.growth)
    if conduct.looks_sentence and not any(INTERIM in said for said in conduct.deviations):
        yield conduct.looks_sentence
    if conduct.by_hand:
        yield conduct.by_hand_sentence
    yield from (one.sentence for one in conduct.credited)
    yield from conduct.flag_sentences
    agreement = conduct.self_agreement, conduct.judged_twice
    for found in (conduct.attention, conduct.time_outs, conduct.skips, *agreement):
        if found is not None:
            yield found.sentence
    yield from say_sensitivities(conduct.sensitivities)
    yield from conduct.notes


def _plan_lines(plan: ReportedPlan) -> Iterator[str]:
    yield f"  test        {plan.test}"
    yield f"  family      {plan.family}"
    yield (
        f"  alpha       {plan.alpha:g}, gap {plan.gap:g}, power {plan.power:g}, ICC {plan.icc:g}, "
        f"stopping {plan.stopping}"
    )
    for one in plan.numbers[:_LISTED]:
        arm = "" if one.arm == "main" else f" (arm {one.arm})"
        yield f"  n           {one.name or one.group}{arm}: {one.counted:,} of {one.planned:,} judgments"
    if len(plan.numbers) > _LISTED:
        yield f"              and {len(plan.numbers) - _LISTED:,} more: plan.json has all"
    for rule in plan.exclusions:
        yield f"  excluded    {rule}"


_LISTED = 12


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")
