"""How a simulated annotator fills in a form: its protocol says what is chosen, the rest is the same."""

from __future__ import annotations

from dataclasses import dataclass

from duologue.protocols import FieldValue, FormValues
from duologue.rehearsal.base import Part
from duologue.rehearsal.kinds import HURRIED, NEVER_A_REASON, SimulatedAnnotator
from duologue.rehearsal.pages import Form
from duologue.screening import count_words
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
) -> FormValues:
    """The fields an annotator sends for an assignment: its answer, its reason, and the seconds it took.

    Nobody waits in a rehearsal: the seconds are those that a person of this kind would have taken.
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
        fields["seconds"] = f"{_seconds(annotator, assignment, knowledge.study):.1f}"
    return FormValues(fields)


WORDS_READ_A_SECOND = 4.0
"""By careful annotators."""


def _seconds(annotator: SimulatedAnnotator, assignment: Assignment, study: Study) -> float:
    """How long an annotator says they took: reading and some seconds more, or next to nothing."""
    rng = annotator.rng(f"{assignment.item.id}/seconds")
    if annotator.kind in HURRIED:
        return float(rng.uniform(0.1, 0.5))
    words = sum(map(count_words, study.protocol.texts_shown(assignment.asked)))
    return float(words / WORDS_READ_A_SECOND * rng.uniform(0.7, 1.4) + rng.uniform(2.0, 8.0))
