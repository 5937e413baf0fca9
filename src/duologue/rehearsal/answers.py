"""How a simulated annotator of each kind fills in a comparison, or hands on to how it rates."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from duologue.errors import AnswerError
from duologue.protocols import Answer, Item
from duologue.rehearsal.kinds import Kind, SimulatedAnnotator
from duologue.rehearsal.means import Means
from duologue.rehearsal.pages import Form
from duologue.rehearsal.preferences import Preferences
from duologue.rehearsal.ratings import rate
from duologue.store import Assignment
from duologue.studies import Study

REASONS: tuple[str, ...] = (
    "Listens and asks back.",
    "It felt like talking to a person.",
    "The other one repeats itself.",
    "More interesting answers.",
    "I would like to hear more of this.",
    "Stays with the subject.",
    "The other one does not answer the question.",
    "Friendlier, and it has something to say.",
    "Sounds natural.",
    "The conversation goes somewhere.",
)
"""What simulated annotators give as their reason."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What simulated annotators know besides the page: the study, and what is truly better."""

    study: Study
    preferences: Preferences
    """Where dialogues are compared."""
    means: Means = field(default_factory=lambda: Means({}))
    """Where bots are rated one by one."""


def fill_form(
    annotator: SimulatedAnnotator,
    form: Form,
    assignment: Assignment,
    knowledge: Knowledge,
    *,
    seconds: float = 0.0,
) -> dict[str, str]:
    """The fields an annotator sends for an assignment: its answer, its reason, and the seconds it took.

    The store takes no more seconds than have passed, so a rehearsal's times are its own and not a person's.
    """
    rng = annotator.rng(assignment.item.id)
    fields = dict(form.hidden)
    if len(assignment.item.bots) > 1:
        slot = _wanted_slot(annotator.kind, assignment.item, knowledge.preferences, rng)
        for name, values in form.choices.items():
            fields[name] = (
                values[0] if slot is None else _value_for(slot, name, values, assignment, knowledge)
            )
    else:
        for name, values in form.choices.items():
            fields[name] = rate(annotator, name, values, assignment, knowledge.study, knowledge.means)
    for name in form.texts:
        fields[name] = "" if annotator.kind == "never-a-reason" else REASONS[int(rng.integers(len(REASONS)))]
    if annotator.has_script and "seconds" in fields:
        fields["seconds"] = f"{seconds:.6f}"
    return fields


def _wanted_slot(kind: Kind, item: Item, preferences: Preferences, rng: np.random.Generator) -> int | None:
    """The slot of the item the annotator speaks for; None when it takes the first answer unread."""
    if kind == "always-left":
        return None
    if kind == "careless":
        return int(rng.integers(len(item.bots)))
    better = item.gold
    if better is None:
        better = 0 if rng.random() < preferences.rate(item.bots[0], item.bots[1]) else 1
    return 1 - better if kind == "fails-onboarding" else better


def _value_for(
    slot: int, name: str, values: tuple[str, ...], assignment: Assignment, knowledge: Knowledge
) -> str:
    """The answer that speaks for a slot, whatever the question's polarity and the shown order."""
    protocol = knowledge.study.protocol
    wanted = replace(assignment.asked, item=replace(assignment.item, gold=slot))
    for value in values:
        answer = protocol.read(wanted, {name: value, "reason": REASONS[0]})
        if isinstance(answer, Answer) and protocol.is_correct(wanted, answer):
            return value
    raise AnswerError(f"no answer to {name} speaks for slot {slot}: the page offers {values}.", field=name)
