"""What will happen in a study of phrasings, in plain words."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from duologue.acute.design.table import acute_settings
from duologue.dialogues import index_dialogues
from duologue.protocols import Item, read_items, say_count, say_percent, say_power
from duologue.studies import Study, asked_besides, changed_material, time_and_cost

if TYPE_CHECKING:
    from duologue.acute.settings import AcuteSettings


def describe_phrasings(study: Study) -> list[str]:
    """Which phrasings are compared on which pairs, by how many annotators, and what that can tell."""
    settings = acute_settings(study)
    items = list(read_items(study.items_path)) if study.items_path.exists() else []
    judged = [item for item in items if item.is_judged]
    return [
        *_material(study),
        f"Question optimisation: {len(settings.questions)} phrasings of {_axes(settings)}, compared by how "
        "far annotators agree. Nothing is said about bots.",
        *_phrasings(settings),
        *_pairs(study, settings, judged),
        *(_work(study, settings, judged) if judged else []),
        told(study.caps.judgments_per_item, tests=len(settings.axes), alpha=study.file.stopping.alpha),
    ]


def _material(study: Study) -> list[str]:
    kinds: Counter[tuple[str, str]] = Counter((head.bot, head.kind) for head in index_dialogues(study.folder))
    if not kinds:
        return ["Dialogues: none yet."]
    bots = ", ".join(f"{bot} ({count:,} {kind})" for (bot, kind), count in sorted(kinds.items()))
    return [f"Dialogues: {bots}.", *changed_material(study)]


def _axes(settings: AcuteSettings) -> str:
    return "1 axis" if len(settings.axes) == 1 else f"{len(settings.axes)} axes"


def _phrasings(settings: AcuteSettings) -> list[str]:
    lines = []
    for axis, arms in settings.axes.items():
        lines.append(f"  {axis}:")
        lines += [f"    {arm.name}: {arm.resolved().text}" for arm in arms]
    return lines


def _pairs(study: Study, settings: AcuteSettings, judged: list[Item]) -> list[str]:
    if not judged:
        return ["Pairs: none yet."]
    lines = ["Pairs:"]
    for axis in settings.axes:
        shown = [item for item in judged if item.factor == axis]
        some = "; ".join(f"{item.dialogues[0]} and {item.dialogues[1]}" for item in shown[:5])
        more = f", and {len(shown) - 5} more" if len(shown) > 5 else ""
        lines.append(f"  {axis}: {f'{some}{more}' if shown else 'none'}")
    return lines


def _work(study: Study, settings: AcuteSettings, judged: list[Item]) -> list[str]:
    caps, each = study.caps, study.caps.judgments_per_item
    work = {axis: [item for item in judged if item.factor == axis] for axis in settings.axes}
    judgments = {axis: len(settings.axes[axis]) * len(items) * each for axis, items in work.items()}
    # In an arm an annotator judges one pair of each matchup, or as many as the study says.
    most = {
        axis: max(1, min(len(items), caps.max_judgments or len({item.group for item in items})))
        for axis, items in work.items()
    }
    needed = [-(-count // most[axis]) for axis, count in judgments.items()]
    annotators = max(needed) if caps.one_per_factor else sum(needed)
    sees = (
        f"one phrasing of each of {len(work)} axes"
        if caps.one_per_factor and len(work) > 1
        else "one phrasing"
    )
    total = sum(judgments.values())
    besides = asked_besides(study, judgments=total, annotators=annotators)
    return [
        f"Annotators for each phrasing and pair: {each}. An annotator sees {sees}.",
        f"Judgments: {total:,} by at least {say_count(annotators, 'annotator')}.",
        *time_and_cost(study, total, what="comparison", besides=besides),
    ]


def told(annotators: int, *, tests: int, alpha: float) -> str:
    """What so many annotators of each phrasing can tell apart, in a sentence.

    Args:
        annotators: Judgments of each phrasing.
        tests: How many axes share alpha.
        alpha: Chance of telling any two equally clear phrasings apart.

    Example:
        >>> told(20, tests=1, alpha=0.05)
        'With 20 judgments of each phrasing, 95 % agreement is told from 60 % or less (power 0.8); \
90 % agreement is told from coin flips with a power of 0.70.'
    """
    from duologue.stats import ModalDifference, detectable_gap

    alpha = alpha / max(1, tests)
    said = []
    for base in (0.95, 0.9):
        design = ModalDifference(base=base, alpha=alpha)
        rate = say_percent(base, 0)
        most = float(design.power([annotators], design.largest_gap)[0])
        if most >= POWER:
            low = math.floor(100 * (base - detectable_gap(annotators, design=design, power=POWER).gap))
            said.append(f"{rate} agreement is told from {low} % or less (power {POWER:g})")
        else:
            said.append(f"{rate} agreement is told from coin flips with a power of {say_power(most)}")
    return f"With {annotators} judgments of each phrasing, {'; '.join(said)}."


POWER = 0.8
