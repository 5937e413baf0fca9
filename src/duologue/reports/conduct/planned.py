"""The plan of a study as it was frozen, every deviation from it, and the looks that were taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, cast

from duologue.dialogues import Json, removed_dialogues
from duologue.protocols import PlannedNumber, ReportedLook, ReportedPlan, addendum_asking
from duologue.reports.conduct.words import INTERIM
from duologue.store import count_onboarding_items, fetch_progress
from duologue.studies import FrozenPlan, Study, changes_since, draft_plan, planned_numbers

if TYPE_CHECKING:
    from duologue.store import Store, StoredLook

NO_JUDGMENT = "No plan is frozen yet: the first judgment that is not onboarding will freeze it."
NO_PLAN = (
    "No plan was frozen: the first judgments were given before Duologue kept plans, so it is not known "
    "what was decided beforehand."
)
REHEARSED = "A rehearsal freezes no plan."


def printed_plan(study: Study, plan: FrozenPlan, counted: Mapping[tuple[str, str], int]) -> ReportedPlan:
    """The frozen plan, with how many judgments of each group count."""
    content, say_group = plan.content, study.protocol.say_group
    return ReportedPlan(
        hash=plan.hash,
        frozen_at=plan.at,
        test=str(content.get("test", "")),
        family=str(content.get("family", "")),
        alpha=_number(content, "alpha"),
        gap=_number(content, "gap"),
        power=_number(content, "power"),
        icc=_number(content, "icc"),
        stopping=str(content.get("stopping", "")),
        numbers=tuple(
            PlannedNumber(arm, group, planned, counted.get((arm, group), 0), say_group(group))
            for (arm, group), planned in planned_numbers(content).items()
        ),
        exclusions=tuple(map(str, cast(list[Json], content.get("exclusions", [])))),
    )


def _number(content: Mapping[str, Json], key: str) -> float:
    value = content.get(key)
    return float(value) if isinstance(value, int | float) else 0.0


def say_plan(plan: ReportedPlan) -> str:
    """When the plan was frozen, and by which hash it is known."""
    return (
        f"The plan was frozen with the first judgment, on {_moment(plan.frozen_at)} (plan.json, SHA-256 "
        f"{plan.hash})."
    )


def looks_taken(looks: Sequence[StoredLook]) -> tuple[ReportedLook, ...]:
    """Every look, numbered."""
    return tuple(
        ReportedLook(number, look.at, look.how, look.judgments, look.planned, look.is_interim)
        for number, look in enumerate(looks, 1)
    )


def say_looks(looks: Sequence[ReportedLook]) -> str:
    """How often results were looked at, and how often before the planned number was reached."""
    if not looks:
        return "Nobody has looked at the results yet."
    early = [look for look in looks if look.is_interim]
    times = f"The results were looked at {_times(len(looks))}"
    if not early:
        return f"{times}, never before the planned number of judgments was reached."
    when = ", ".join(f"at {look.judgments:,} on {look.at[:10]}" for look in early[:5])
    more = f" and {len(early) - 5:,} more" if len(early) > 5 else ""
    planned = f"{early[-1].planned:,} planned judgments"
    often = f"{len(early):,} of these times" if len(early) < len(looks) else "each time"
    often = "" if len(looks) == 1 else f", {often}"
    return f"{times}{often} before the {planned} were reached ({when}{more})."


def deviations(
    study: Study,
    store: Store,
    plan: FrozenPlan,
    *,
    counted: Mapping[tuple[str, str], int],
    looks: Sequence[ReportedLook],
    taken_back: int = 0,
) -> Iterator[str]:
    """Whatever is not as it was planned, a sentence each.

    Args:
        study: The study as it is now.
        store: Its database.
        plan: The frozen plan, with all that was added to it.
        counted: Judgments that count, by arm and group.
        looks: The looks that were taken.
        taken_back: Judgments that a declared rule excluded and a researcher took back.
    """
    wanted = {
        (one.arm, one.group): one.wanted
        for one in store.run(fetch_progress())
        if one.wanted and not addendum_asking(one.group)
    }
    now = draft_plan(study, wanted, onboarding_items=store.run(count_onboarding_items()))
    for said in changes_since(plan.content, now, say_group=study.protocol.say_group):
        yield said[:1].upper() + said[1:]
    yield from _numbers_missed(study, plan, counted)
    early = sum(look.is_interim for look in looks)
    if early and plan.content.get("stopping") != "sequential":
        yield f"{INTERIM} {say_looks(looks)}"
    if taken_back:
        judgments = "1 judgment" if taken_back == 1 else f"{taken_back:,} judgments"
        yield f"The researcher took back {judgments} that a declared rule had excluded."
    reasons = Counter(one.reason for one in removed_dialogues(study.folder) if _is_later(one.at, plan.at))
    if reasons:
        why = "; ".join(f"{reason}: {count:,}" for reason, count in reasons.most_common())
        were = "1 dialogue was" if reasons.total() == 1 else f"{reasons.total():,} dialogues were"
        yield f"{were} taken out of the study after the first judgment ({why})."


_LISTED = 5


def _numbers_missed(study: Study, plan: FrozenPlan, counted: Mapping[tuple[str, str], int]) -> Iterator[str]:
    planned = planned_numbers(plan.content)
    short = [key for key, wanted in planned.items() if counted.get(key, 0) < wanted]
    over = [key for key, wanted in planned.items() if counted.get(key, 0) > wanted]
    is_sequential = plan.content.get("stopping") == "sequential"
    for keys, what in ((() if is_sequential else short, "not reached"), (over, "exceeded")):
        if keys:
            listed = ", ".join(
                f"{study.protocol.say_group(group)}{'' if arm == 'main' else f' (arm {arm})'} "
                f"{counted.get((arm, group), 0):,} of {planned[arm, group]:,}"
                for arm, group in keys[:_LISTED]
            )
            more = f" and {len(keys) - _LISTED:,} more" if len(keys) > _LISTED else ""
            yield f"The planned number of judgments was {what}: {listed}{more}."


def _is_later(one: str, other: str) -> bool:
    try:
        return datetime.fromisoformat(one) > datetime.fromisoformat(other)
    except (TypeError, ValueError):
        return True  # a time that cannot be read, or has no zone: better said than left out


def _moment(at: str) -> str:
    return f"{at[:10]} {at[11:16]} UTC"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")
