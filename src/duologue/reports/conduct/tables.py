"""How a study was conducted as tables, and the flow of participants as a figure."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duologue.judgments import Row
from duologue.protocols import Conduct, ParticipantStep
from duologue.reports.drawing import GREY, INK, LOSS, WIN, plain_axes, write_figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def conduct_tables(conduct: Conduct) -> Iterator[tuple[str, Iterable[Row]]]:
    """``participants.csv``, ``material.csv``, and what there is of looks, hand exclusions and sensitivity."""
    yield (
        "participants.csv",
        [
            {"step": step.name, "annotators": step.annotators, "is_loss": step.is_loss}
            for step in conduct.participants
        ],
    )
    if conduct.cohorts:
        yield (
            "cohorts.csv",
            [
                {"cohort": one.cohort, "annotators": one.annotators, "judgments": one.judgments}
                for one in conduct.cohorts
            ],
        )
    if conduct.forms:
        yield "forms.csv", _forms(conduct)
    if conduct.material:
        yield "material.csv", _material(conduct)
    if conduct.looks:
        yield (
            "looks.csv",
            [
                {
                    "look": look.number,
                    "at": look.at,
                    "how": look.how,
                    "judgments": look.judgments,
                    "planned": look.planned,
                    "is_interim": look.is_interim,
                }
                for look in conduct.looks
            ],
        )
    if conduct.by_hand:
        yield "excluded-by-hand.csv", _by_hand(conduct)
    if conduct.sensitivities:
        yield "sensitivity.csv", _sensitivity(conduct)
    if any(one.verdicts for one in conduct.growth):
        yield "verdicts-then-and-now.csv", _then_and_now(conduct)


def _then_and_now(conduct: Conduct) -> list[Row]:
    return [
        {
            "addendum": grown.addendum.number,
            "then": grown.addendum.at,
            "where": one.where,
            "first": one.first,
            "second": one.second,
            "better_then": one.other,
            "n_then": one.other_n,
            "better_now": one.better,
            "n_now": one.n,
            "is_changed": one.is_changed,
        }
        for grown in conduct.growth
        for one in grown.verdicts
    ]


def _forms(conduct: Conduct) -> list[Row]:
    rows: list[Row] = []
    for one in conduct.forms:
        found = one.numbers
        counts: dict[str, float] = {"(answered)": one.answered, "(left out)": one.unanswered, **one.choices}
        if found is not None:
            counts |= {"(least)": found.least, "(median)": found.median, "(most)": found.most}
        rows += [
            {"form": one.form, "question": one.question, "label": one.label, "answer": answer, "value": value}
            for answer, value in counts.items()
        ]
    return rows


def _material(conduct: Conduct) -> list[Row]:
    return [
        {
            "bot": one.bot,
            "self_chats": one.kinds.get("self-chat", 0),
            "live_chats": one.kinds.get("live-chat", 0),
            "human_human": one.kinds.get("human-human", 0),
            "turns": one.turns,
            "fewest_turns": one.fewest_turns,
            "most_turns": one.most_turns,
            "with_opener": one.with_opener,
            "openers": one.openers,
            "with_persona": one.with_persona,
        }
        for one in conduct.material
    ]


def _by_hand(conduct: Conduct) -> list[Row]:
    return [
        {
            "rule": one.rule,
            "reason": one.reason,
            "by": one.by,
            "at": one.at,
            "judgments": one.judgments,
            "annotators": one.annotators,
            "after_looks": one.after_looks,
            "is_declared": one.is_declared,
        }
        for one in conduct.by_hand
    ]


def _sensitivity(conduct: Conduct) -> list[Row]:
    return [
        {
            "without": found.name,
            "judgments": found.judgments,
            "where": one.where,
            "first": one.first,
            "second": one.second,
            "better": one.better or "",
            "n": one.n,
            "better_without": one.other or "",
            "n_without": one.other_n,
            "is_changed": one.is_changed,
        }
        for found in conduct.sensitivities
        for one in found.verdicts
    ]


def write_flow(conduct: Conduct, folder: Path) -> Iterator[Path]:
    """Draw the flow of participants into a folder, as ``participants.svg`` and ``participants.pdf``."""
    return write_figures(conduct.participants, {"participants": _draw_flow}, folder)


def _draw_flow(steps: Sequence[ParticipantStep]) -> Figure | None:
    """Boxes from top to bottom, who was lost beside the arrow on which they were."""
    if not steps:
        return None
    figure, axes = plain_axes(5.2, 0.42 * len(steps) + 0.3)
    axes.set(xlim=(0, 10), ylim=(len(steps) - 0.3, -0.7), xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set_visible(False)
    places = [row for row, step in enumerate(steps) if not step.is_loss]
    for above, below in itertools.pairwise(places):
        arrow = {"arrowstyle": "->", "color": GREY}
        axes.annotate("", (2.0, below - 0.28), (2.0, above + 0.28), arrowprops=arrow)
    for row, step in enumerate(steps):
        if step.is_loss:
            axes.plot([2.0, 4.1], [row, row], color=GREY, linewidth=0.8)
        axes.text(
            4.3 if step.is_loss else 2.0,
            row,
            f"{step.name}: {step.annotators:,}",
            ha="left" if step.is_loss else "center",
            va="center",
            fontsize=7.5 if step.is_loss else 8.5,
            color=INK,
            bbox={"boxstyle": "round,pad=0.35", "fc": "white", "ec": LOSS if step.is_loss else WIN, "lw": 1},
        )
    return figure
