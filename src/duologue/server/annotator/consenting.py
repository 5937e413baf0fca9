"""What somebody reads before they take part: who asks, how long it takes, whom they meet, and what is stored.

Whom they meet and what is stored follow from the study: whether there are live chats, with whom, what is
asked, and how the annotator came.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from duologue.protocols import HUMAN, Fact
from duologue.store import Annotator
from duologue.studies import Study, study_facts


@dataclass(frozen=True, slots=True)
class ConsentFacts:
    """What the consent page says beside the study's own words."""

    about: tuple[tuple[str, str], ...]
    """Who asks, whom to write to, duration, pay and approval, each under its heading; what is not set is left
    out."""
    warning: str
    """What annotators may come across; empty where nothing is said."""
    met: tuple[str, ...]
    """Whom they may meet, one sentence each."""
    stored: tuple[str, ...]
    """What is stored, one sentence each."""


def consent_facts(
    study: Study, annotator: Annotator, live_bots: tuple[str, ...], *, in_browser: bool = True
) -> ConsentFacts:
    """What an annotator is told before they agree.

    Args:
        study: The study.
        annotator: Whom it is told to.
        live_bots: With whom annotators chat live; empty when they do not.
        in_browser: Whether they answer on pages, which keep what is not sent yet.
    """
    wording, given = study.file.wording, study.file.consent
    about = (
        (wording.consent_institution, given.institution),
        (wording.consent_contact, given.contact),
        (
            wording.consent_duration,
            _time_needed(study),
        ),
        (wording.consent_pay, given.pay),
        (wording.consent_approval, given.approval),
    )
    facts = study_facts(study)
    stored = _stored(study, annotator, live_bots, facts or frozenset(), in_browser=in_browser)
    return ConsentFacts(
        about=tuple((title, text) for title, text in about if text),
        warning=given.content_warning,
        met=(*_met(study, live_bots, reads=facts is None or "reads" in facts), *_ends_early(study)),
        stored=tuple(stored),
    )


def _duration(study: Study) -> str:
    """How long it takes at most, where a sitting has an end; empty where it has none."""
    minutes = study.file.annotators.sitting_minutes
    return "" if minutes is None else study.file.wording.at_most_minutes.replace("{minutes}", f"{minutes:g}")


def _time_needed(study: Study) -> str:
    """How long all of it takes, and how long there is for one item, each on a line of its own."""
    return "\n".join(filter(None, (study.file.consent.duration or _duration(study), _each(study))))


def _each(study: Study) -> str:
    """How long there is for one item; empty where there is no end to it."""
    seconds = study.file.annotators.item_seconds
    return "" if seconds is None else study.file.wording.each_seconds.replace("{seconds}", f"{seconds:g}")


def _met(study: Study, live_bots: tuple[str, ...], *, reads: bool) -> Iterator[str]:
    wording = study.file.wording
    if study.file.consent.deception:
        yield wording.told_later
        return
    if any(bot != HUMAN for bot in live_bots):
        yield wording.meet_both if HUMAN in live_bots else wording.meet_program
    if reads:
        yield wording.read_program


def _ends_early(study: Study) -> Iterator[str]:
    """After how many attention checks that are not right somebody stops."""
    if most := study.caps.attention.stop_after:
        yield study.file.wording.may_stop.replace("{checks}", str(most))


def _stored(
    study: Study,
    annotator: Annotator,
    live_bots: tuple[str, ...],
    facts: frozenset[Fact],
    *,
    in_browser: bool,
) -> Iterator[str]:
    wording = study.file.wording
    yield wording.stored_answers
    if _is_optional(study, facts):
        yield wording.stored_left_out
    if "selects" in facts:
        yield wording.stored_selections
    if in_browser:
        yield wording.stored_scrolled
        if facts & {"chats", "reasons", "writes replies"}:
            yield wording.stored_pasted
    if study.file.forms:
        yield wording.stored_forms
    if live_bots:
        yield wording.stored_chats
    if HUMAN in live_bots:
        yield wording.stored_partner
    if in_browser:
        yield wording.stored_draft
    if annotator.kind == "open":
        yield wording.stored_cookie
    elif annotator.kind == "lab" and annotator.label:
        yield wording.stored_name
    elif annotator.kind not in ("open", "lab"):
        yield wording.stored_account
    yield wording.stored_no_more


def _is_optional(study: Study, facts: frozenset[Fact]) -> bool:
    """Whether annotators can leave anything out: an item, a reason, or a question of a form."""
    if "skips" in facts or ("reasons" in facts and "reason needed" not in facts):
        return True
    return any(not question.required for form in study.file.forms for question in form.questions)
