"""What somebody reads before they take part: who asks, how long it takes, and what is stored of them.

What is stored follows from the study: whether there are live chats, with whom, and how the annotator came.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from duologue.protocols import HUMAN
from duologue.store import Annotator
from duologue.studies import Study


@dataclass(frozen=True, slots=True)
class ConsentFacts:
    """What the consent page says beside the study's own words."""

    about: tuple[tuple[str, str], ...]
    """Who asks, whom to write to, duration and pay, each under its heading; what is not set is left out."""
    stored: tuple[str, ...]
    """What is stored, one sentence each."""


def consent_facts(study: Study, annotator: Annotator, live_bots: tuple[str, ...]) -> ConsentFacts:
    """What an annotator is told before they agree.

    Args:
        study: The study.
        annotator: Whom it is told to.
        live_bots: With whom annotators chat live; empty when they do not.
    """
    wording, given = study.file.wording, study.file.consent
    about = (
        (wording.consent_institution, given.institution),
        (wording.consent_contact, given.contact),
        (wording.consent_duration, given.duration),
        (wording.consent_pay, given.pay),
    )
    return ConsentFacts(
        about=tuple((title, text) for title, text in about if text),
        stored=tuple(_stored(study, annotator, live_bots)),
    )


def _stored(study: Study, annotator: Annotator, live_bots: tuple[str, ...]) -> Iterator[str]:
    wording = study.file.wording
    yield wording.stored_answers
    if study.file.forms:
        yield wording.stored_forms
    if live_bots:
        yield wording.stored_chats
    if HUMAN in live_bots:
        yield wording.stored_partner
    if annotator.kind == "open":
        yield wording.stored_cookie
    elif annotator.kind == "lab" and annotator.label:
        yield wording.stored_name
    elif annotator.kind not in ("open", "lab"):
        yield wording.stored_account
    yield wording.stored_no_more
