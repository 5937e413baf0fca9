"""How a simulated annotator fills in a form: its protocol says what is chosen, the rest is the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from duologue.protocols import FieldValue, FormValues
from duologue.rehearsal.base import Part
from duologue.rehearsal.kinds import CARELESS, HURRIED, NEVER_A_REASON, SPAMMER, SimulatedAnnotator
from duologue.rehearsal.pages import Form
from duologue.screening import count_words
from duologue.store import Assignment
from duologue.studies import Study

REASONS: tuple[str, ...] = (
    "Asks back.",
    "Feels human.",
    "Repeats less.",
    "More interesting answers.",
    "I want more.",
    "Stays on subject.",
    "Answers the question.",
    "Friendlier to me.",
    "Sounds natural.",
    "Goes somewhere.",
)
"""What simulated annotators give as their reason: too short to count as copied, whoever writes it."""

ABOUT: tuple[str, ...] = (
    "I noticed it at",
    "Best seen in",
    "What struck me was",
    "It begins with",
    "Nobody else would say",
    "I remember",
    "Compare",
    "The turn I mean is",
    "It shows in",
    "For instance",
    "That became clear after",
    "I stopped at",
)
"""How they come to the words that they quote: people who read the same do not write the same."""

PASTED = "I like this conversation more than the other one."
"""What careless annotators and spammers give as their reason every time."""

PASTED_OF_ONE = "I like this conversation and can say no more."
"""The same where there is no other one."""

_QUOTED_WORDS = 4


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

    Nobody waits in a rehearsal: the seconds are those that a person of this kind would have taken, or those
    that the protocol says with its answer.
    """
    chosen = knowledge.part.simulate(
        annotator,
        assignment.asked,
        form.choices,
        protocol=knowledge.study.protocol,
        truth=knowledge.truth,
    )
    rng = annotator.rng(f"{assignment.item.id}/reason")
    read = tuple(knowledge.study.protocol.texts_shown(assignment.asked))
    seconds = time_for(annotator, form, assignment.item.id, read=read)
    fields: dict[str, FieldValue] = {**form.hidden, **seconds, **chosen}
    for name in form.texts:
        fields.setdefault(name, _reason(annotator, rng, read, several=len(assignment.item.bots) != 1))
    return FormValues(fields)


def _reason(
    annotator: SimulatedAnnotator, rng: np.random.Generator, read: Sequence[str], *, several: bool
) -> str:
    """Why somebody of this kind says they chose as they did."""
    if annotator.kind == NEVER_A_REASON:
        return ""
    if annotator.kind in (CARELESS, SPAMMER):
        return PASTED if several else PASTED_OF_ONE
    reason = REASONS[int(rng.integers(len(REASONS)))]
    words = read[int(rng.integers(len(read)))].split() if read else []
    if len(words) <= _QUOTED_WORDS:
        return reason
    begin = int(rng.integers(len(words) - _QUOTED_WORDS))
    about = ABOUT[int(rng.integers(len(ABOUT)))]
    return f"{reason} {about} “{' '.join(words[begin : begin + _QUOTED_WORDS])}”."


WORDS_READ_A_SECOND = 4.0
"""By careful annotators."""

WORDS_WRITTEN_A_SECOND = 0.6
"""By careful annotators, about 36 in a minute."""


def time_for(
    annotator: SimulatedAnnotator, form: Form, what: str, *, read: Iterable[str] = (), written: str = ""
) -> dict[str, FieldValue]:
    """How long an annotator says they took, where the page asks: reading, writing and some seconds more.

    Those who hurry take next to nothing. Those without script say it too: by the clock they would have taken
    as long as the server did.

    Args:
        annotator: Who they are.
        form: What is sent.
        what: What it is about: the same for the same thing.
        read: The texts that are read.
        written: What is written.
    """
    if "seconds" not in form.hidden:
        return {}
    rng = annotator.rng(f"{what}/seconds")
    if annotator.kind in HURRIED:
        return {"seconds": f"{rng.uniform(0.1, 0.5):.1f}"}
    words = sum(map(count_words, read)) / WORDS_READ_A_SECOND
    words += count_words(written) / WORDS_WRITTEN_A_SECOND
    return {"seconds": f"{words * rng.uniform(0.7, 1.4) + rng.uniform(2.0, 8.0):.1f}"}
