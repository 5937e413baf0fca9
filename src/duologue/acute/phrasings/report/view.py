"""What page and figure draw of phrasings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from duologue.protocols import say_p
from duologue.reports import ExclusionStep, flow_steps

if TYPE_CHECKING:
    from duologue.acute.phrasings.results import AxisResult, PhrasingStudyResults


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A phrasing in the plot, in per cent."""

    arm: str
    agreement: float
    low: float
    high: float
    chance: float
    numbers: str
    n: int
    is_best: bool


@dataclass(frozen=True, slots=True)
class PhrasingsView:
    """What the page draws."""

    axes: tuple[tuple[AxisResult, tuple[AgreementRow, ...]], ...]
    steps: tuple[ExclusionStep, ...]
    has_alpha: bool
    """Whether phrasings were asked about several pairs."""


def view_phrasings(found: PhrasingStudyResults) -> PhrasingsView:
    """Phrasings with all that the page draws of them."""
    return PhrasingsView(
        axes=tuple((axis, agreement_rows(axis)) for axis in found.axes),
        steps=flow_steps(
            collected=found.collected,
            onboarding=found.onboarding,
            rules=[(rule.rule, rule.judgments) for rule in found.rules],
            counted=found.counted,
        ),
        has_alpha=any(one.alpha is not None for axis in found.axes for one in axis.phrasings),
    )


def agreement_rows(axis: AxisResult) -> tuple[AgreementRow, ...]:
    """The phrasings of an axis that have judgments."""
    rows = []
    for one in axis.phrasings:
        if one.agreement is None or one.interval is None or one.chance is None or one.p_adjusted is None:
            continue
        low, high = 100 * one.interval.low, 100 * one.interval.high
        star = "*" if one.is_significant else ""
        rows.append(
            AgreementRow(
                arm=one.arm,
                agreement=100 * one.agreement,
                low=low,
                high=high,
                chance=100 * one.chance,
                numbers=f"{star}{100 * one.agreement:.1f} [{low:.1f}, {high:.1f}], {say_p(one.p_adjusted)}",
                n=one.n,
                is_best=one.arm == axis.best,
            )
        )
    return tuple(rows)
