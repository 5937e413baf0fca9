"""How a simulated annotator fills in a form: its protocol says what is chosen, the rest is the same."""

from __future__ import annotations

from dataclasses import dataclass

from duologue.protocols import FieldValue, FormValues
from duologue.rehearsal.base import Part
from duologue.rehearsal.kinds import NEVER_A_REASON, SimulatedAnnotator
from duologue.rehearsal.pages import Form
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
    """What simulated annotators know besides the page: the study, and what is true of its bots."""

    study: Study
    part: Part
    """How the study's protocol is rehearsed."""
    truth: object
    """What careful annotators go by; only the part understands it."""


def fill_form(
    annotator: SimulatedAnnotator,
    form: Form,
    assignment: Assignment,
    knowledge: Knowledge,
    *,
    seconds: float = 0.0,
) -> FormValues:
    """The fields an annotator sends for an assignment: its answer, its reason, and the seconds it took.

    The store takes no more seconds than have passed, so a rehearsal's times are its own and not a person's.
    """
    chosen = knowledge.part.simulate(
        annotator,
        assignment.asked,
        form.choices,
        protocol=knowledge.study.protocol,
        truth=knowledge.truth,
    )
    fields: dict[str, FieldValue] = {**form.hidden, **chosen}
    rng = annotator.rng(f"{assignment.item.id}/reason")
    for name in form.texts:
        is_silent = annotator.kind == NEVER_A_REASON
        fields[name] = "" if is_silent else REASONS[int(rng.integers(len(REASONS)))]
    if annotator.has_script and "seconds" in fields:
        fields["seconds"] = f"{seconds:.6f}"
    return FormValues(fields)
