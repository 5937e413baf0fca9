"""What adding bots to a study does, in words and as a record."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from duologue.acute.growing.adding import GrownStudy
from duologue.acute.growing.planning import GrowthPlan
from duologue.dialogues import Json
from duologue.protocols import group_asked, say_count, say_list
from duologue.stats import detectable_change
from duologue.studies import AddedGroup, Study, addendum_file, asked_besides, time_and_cost


def say_growth(study: Study, grown: GrownStudy) -> Iterator[str]:
    """Every new matchup, what is asked again, what it costs, and what stays as it is; a line each."""
    plan = grown.plan
    is_done = grown.addendum is not None
    yield (
        f"{say_list(plan.adds)} {'was added' if is_done else 'would be added'} to {study.name}: addendum "
        f"{plan.number} to its plan."
    )
    yield f"New matchups: {len(_by_group(plan.groups))}, a family of their own (Holm)."
    yield from (
        f"  {study.protocol.say_group(group)}: {say_count(count, 'judgment')}"
        for group, count in _by_group(plan.groups).items()
    )
    yield from _asked_again(study, plan)
    yield from _work(study, plan)
    yield (
        "Earlier pairings, judgments and verdicts stay as they are, in the same analysis; the verdicts of "
        f"today are kept in {addendum_file(plan.number)}."
    )
    if grown.unfinished:
        some = "has" if len(grown.unfinished) == 1 else "have"
        yield (
            f"{say_list(grown.unfinished)} {some} not reached the planned number of judgments: what is kept "
            f"of {'it' if len(grown.unfinished) == 1 else 'them'} are verdicts of an interim look."
        )
    if is_done:
        yield f"Wrote {study.items_path} and {grown.path}. Serve the study to have the new pairings judged."
    else:
        yield "Nothing has been changed. Say --yes to add what is written here."


def _by_group(groups: Iterable[AddedGroup]) -> Counter[str]:
    """Judgments of each matchup, in all arms."""
    found: Counter[str] = Counter()
    for one in groups:
        found[group_asked(one.group)] += one.judgments
    return found


def _asked_again(study: Study, plan: GrowthPlan) -> Iterator[str]:
    """What is asked again, and how large a change it can find."""
    again = _by_group(plan.asked_again)
    if not again:
        yield "Asked again: nothing, so that no drift can be seen."
        return
    arms, alpha = len(study.arms), study.file.stopping.alpha
    yield (
        f"Asked again, of annotators who have not seen them: {say_count(again.total(), 'judgment')} of "
        "earlier matchups. They count in no verdict, and show whether judgments have drifted."
    )
    for group, count in again.items():
        earlier = plan.earlier[group]
        change = detectable_change(earlier, count // arms, alpha=alpha / len(again) / arms)
        finds = (
            f"finds a change of about {100 * change:.0f} points with 80 % power"
            if change <= LARGEST_CHANGE
            else "too few to find any change with 80 % power"
        )
        name = study.protocol.say_group(group)
        yield f"  {name}: {count:,} beside {earlier * arms:,} earlier ones; {finds}"


LARGEST_CHANGE = 0.5
"""From an even split, a win rate can change by no more."""


def _work(study: Study, plan: GrowthPlan) -> Iterator[str]:
    judgments, annotators = plan.judgments + plan.judgments_again, least_annotators(study, plan)
    yield (
        f"Judgments: {judgments:,} ({plan.judgments:,} new, {plan.judgments_again:,} asked again): at least "
        f"{annotators:,} annotators."
    )
    besides = asked_besides(study, judgments=judgments, annotators=annotators)
    asked = study.caps.onboarding_comparisons if plan.has_onboarding else 0
    besides = replace(besides, onboarding=annotators * asked)
    yield from time_and_cost(study, judgments, what="comparison", besides=besides)


def least_annotators(study: Study, plan: GrowthPlan) -> int:
    """How many annotators the new judgments need: of each matchup one, and no dialogue twice."""
    caps, items = study.caps, (*plan.new, *plan.again)
    cap = caps.max_judgments or len({item.group for item in plan.new}) * (caps.max_per_group or 1)
    shown = Counter(dialogue for item in items for dialogue in item.dialogues)
    at_once = max(shown.values(), default=1) * caps.judgments_per_item * len(study.arms)
    return max(math.ceil((plan.judgments + plan.judgments_again) / cap), at_once)


def growth_record(study: Study, grown: GrownStudy) -> dict[str, Json]:
    """The same for machines."""
    plan = grown.plan
    return {
        "study": study.name,
        "addendum": plan.number,
        "adds": list(plan.adds),
        "matchups": dict(_by_group(plan.groups)),
        "asked_again": dict(_by_group(plan.asked_again)),
        "judgments": plan.judgments,
        "judgments_asked_again": plan.judgments_again,
        "annotators": least_annotators(study, plan),
        "unfinished": list(grown.unfinished),
        "is_done": grown.addendum is not None,
        "at": grown.addendum.at if grown.addendum else None,
        "hash": grown.addendum.hash if grown.addendum else None,
        "file": None if grown.path is None else str(grown.path),
    }
