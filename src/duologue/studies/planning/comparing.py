"""Designs that answer the same question beside each other: what each needs and costs at the same power."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duologue.dialogues import Json
from duologue.errors import DesignError
from duologue.studies.planning.plan import Plan, make_plan
from duologue.studies.planning.planner import compared_requests
from duologue.studies.planning.request import PlanRequest


def compare_plans(request: PlanRequest) -> tuple[Plan, ...]:
    """Plan every design that the protocol's planner compares, for the same gap, level and power.

    Raises:
        DesignError: The planner compares none, or one contradicts the request.
    """
    requests = compared_requests(request)
    if not requests:
        raise DesignError(f"{request.protocol} has one design only: leave --compare out.")
    return tuple(make_plan(one) for one in requests)


def describe_comparison(plans: Sequence[Plan]) -> str:
    """A table of plans, one a row, and other numbers for the same designs below it."""
    return "\n".join(_lines(plans))


def _lines(plans: Sequence[Plan]) -> Iterator[str]:
    first = plans[0]
    heads: tuple[str, ...] = ("", "for each", "times", "in all", "dialogues", "read", "hours", "cost")
    rows = [heads, *(_row(plan) for plan in plans)]
    if not any(plan.work.read for plan in plans):
        rows = [(*row[:5], *row[6:]) for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    yield f"A gap of {first.gap:g}, alpha {first.request.alpha:g}, power {first.request.power:g}"
    yield ""
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
        ]
        yield "  ".join(cells).rstrip()
    yield ""
    if not any(plan.work.read for plan in plans):  # where dialogues are read, alternatives have rows
        for plan in plans:
            for other in plan.alternatives:
                yield f"{plan.title}: {other.judgments:,}, {other.what}"
    yield from dict.fromkeys(note for plan in plans for note in plan.comparison_notes)
    yield "The gap is that between two bots' win rates; forced choices may widen what is observed."


def _row(plan: Plan) -> tuple[str, ...]:
    work = plan.work
    return (
        plan.title,
        f"{plan.judgments:,} {plan.unit}",
        f"{plan.sets:,}",
        f"{work.answers:,}",
        f"{work.dialogues:,}",
        f"{work.read:,}" if work.read else "–",
        f"{work.hours:,.1f}",
        "–" if work.cost is None else f"{work.cost:,.2f} {work.currency}",
    )


def comparison_record(plans: Sequence[Plan]) -> list[dict[str, Json]]:
    """The same for machines."""
    return [
        {
            "design": plan.title,
            "unit": plan.unit,
            "for_each": plan.judgments,
            "sets": plan.sets,
            "in_all": plan.work.answers,
            "dialogues": plan.work.dialogues,
            "read": plan.work.read,
            "hours": plan.work.hours,
            "cost": plan.work.cost,
            "power": plan.achieved,
        }
        for plan in plans
    ]
