"""What an annotator is sent in Telegram, worked out from where they stand and what they were sent before.

Pure functions: a `Station` of the store goes in, messages come out. Whoever sends them keeps the `SentState`
that comes with each, so that nothing is lost when the program ends half-way, and little is said twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from duologue.protocols import HUMAN, Screen, chat_plan
from duologue.server import consent_facts, no_work_words
from duologue.store import (
    Annotator,
    Assignment,
    Chat,
    ConsentStation,
    FormStation,
    ItemStation,
    NoPlace,
    Station,
    ThanksStation,
)
from duologue.studies import Study, WordingTable
from duologue.telegram.bot_api import Button, Outgoing
from duologue.telegram.screens import reason_message, screen_message, screen_of


@dataclass(frozen=True, slots=True)
class SentState:
    """What an annotator has been sent."""

    assignment: str = ""
    turns: int = 0
    """How many turns of the chat are known to them, their own included."""
    page: str = ""
    """The last message that was not a turn; empty when where they stand is to be said again."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What an annotator has told us that the store has no place for yet."""

    begun: str = ""
    """The assignment they asked for when they were offered another conversation."""
    asked: str = ""
    """The assignment and screen whose answer waits for its reason."""
    answer: Mapping[str, str] = field(default_factory=dict)
    """That answer, by the names of the form's fields."""
    has_stopped: bool = False


@dataclass(frozen=True, slots=True)
class OutgoingStep:
    """A message to send, and what will have been shown once it is."""

    message: Outgoing
    after: SentState


def next_steps(
    study: Study, station: Station, shown: SentState, intent: Intent, *, is_kept_waiting: bool = False
) -> tuple[OutgoingStep, ...]:
    """The messages that bring an annotator from what they were shown to where they stand.

    Args:
        study: The study.
        station: Where they stand.
        shown: What they were shown.
        intent: What they have told us.
        is_kept_waiting: Whether the bot has taken so long that they may end the chat with credit.
    """
    wording = study.file.wording
    if isinstance(station, ItemStation):
        if station.assignment.chat is None:
            return _once("no-work", Outgoing(wording.no_work), shown)
        steps = _chat_steps(study, station.assignment, station.assignment.chat, shown, intent)
        if is_kept_waiting and not steps:
            return _way_out(wording, station.assignment.key, station.assignment.chat, shown)
        return steps
    if isinstance(station, ConsentStation):
        return _once("consent", consent_message(study, station.annotator), shown)
    if isinstance(station, FormStation):  # `check_telegram` refuses such studies
        return _once("no-work", Outgoing(wording.no_work), shown)
    if isinstance(station, ThanksStation):
        return _once("finished", _thanks(study, station), shown)
    words, why = no_work_words(wording, station.no_place), station.no_place.why
    is_over = bool(station.annotator.arm) and why != "taken"
    told = debriefing_message(study) if is_over else ""
    parts = (words.title, words.text, told or (contact_line(study) if why == "blocked" else ""))
    return _once(f"no-work {why}".strip(), Outgoing("\n\n".join(filter(None, parts))), shown)


def consent_message(study: Study, annotator: Annotator) -> Outgoing:
    """What the study is about and what is stored, with the buttons that agree and do not."""
    wording, about = study.file.wording, study.heading
    partners = (*study.file.chat.bots, HUMAN) if study.file.chat.human_partner else ("bots",)
    facts = consent_facts(study, annotator, partners, in_browser=False)
    stored = (*facts.stored[:-1], wording.stored_messenger, facts.stored[-1])
    texts = (
        about.title,
        about.description,
        wording.instructions,
        *facts.met,
        facts.warning,
        "\n".join(f"{title}: {text}" for title, text in facts.about),
        wording.consent,
        "\n".join([f"{wording.stored_title}:", *(f"• {sentence}" for sentence in stored)]),
        commands(study),
    )
    buttons = ((Button(wording.agree, "consent"),), (Button(wording.disagree, "decline"),))
    return Outgoing("\n\n".join(text for text in texts if text), buttons)


def commands(study: Study) -> str:
    """The commands that an annotator has."""
    wording = study.file.wording
    return " ".join((wording.telegram_commands, *([wording.telegram_skip] if study.caps.skips else [])))


def skip_rows(wording: WordingTable, assignment: Assignment) -> tuple[tuple[Button, ...], ...]:
    """The button that skips an item, where it may be skipped."""
    if not assignment.skips_left:
        return ()
    said = wording.skip.replace("{left}", str(assignment.skips_left))
    return ((Button(said, f"skip {assignment.key}"),),)


def card_message(study: Study, assignment: Assignment) -> Outgoing:
    """What an annotator is to do in a chat, and who they are in it. Nothing of the partner is in it."""
    wording, plan = study.file.wording, chat_plan(assignment.item)
    progress = wording.progress.replace("{number}", str(assignment.number))
    parts = [progress.replace("{total}", str(assignment.total)), wording.chat_instructions]
    if plan is not None and plan.annotator_persona:
        parts.append(
            "\n".join([f"{wording.your_persona}:", *(f"• {line}" for line in plan.annotator_persona)])
        )
    if plan is not None and plan.topic:
        parts.append(f"{wording.topic}: {plan.topic}")
    if assignment.deadline_at is not None:
        parts.append(wording.time_until.replace("{time}", f"{assignment.deadline_at[11:16]} UTC"))
    if assignment.chat is not None and assignment.chat.state == "annotator" and not assignment.chat.turns:
        parts.append(wording.your_turn)
    return Outgoing("\n\n".join(parts), skip_rows(wording, assignment))


def _chat_steps(
    study: Study, assignment: Assignment, chat: Chat, shown: SentState, intent: Intent
) -> tuple[OutgoingStep, ...]:
    key, is_new = assignment.key, shown.assignment != assignment.key
    if is_new and shown.assignment and assignment.item.bots != (HUMAN,):  # people are not kept waiting
        return (OutgoingStep(_offer(study.file.wording, key), SentState(key, page="another")),)
    if shown.page == "another" and not is_new and intent.begun != key:
        return ()
    steps: list[OutgoingStep] = []
    if is_new or shown.page in ("another", ""):
        shown = SentState(key, turns=0 if is_new else shown.turns, page="card")
        if chat.state != "ended":
            steps.append(OutgoingStep(card_message(study, assignment), shown))
    steps += _turn_steps(study.file.wording, assignment, chat, shown)
    shown = steps[-1].after if steps else shown
    return (*steps, *_state_steps(study, assignment, chat, shown, intent))


def _turn_steps(
    wording: WordingTable, assignment: Assignment, chat: Chat, shown: SentState
) -> list[OutgoingStep]:
    """The partner's turns that are new; the last one with the way to end, when it may end."""
    new = [
        (place, turn)
        for place, turn in enumerate(chat.turns, 1)
        if place > shown.turns and not turn.is_annotator
    ]
    ending = ((Button(wording.end_chat, f"end {assignment.key}"),),)
    steps = []
    for place, turn in new:
        is_last = (place, turn) == new[-1]
        rows = ending if is_last and chat.can_end and chat.state == "annotator" else ()
        steps.append(OutgoingStep(Outgoing(turn.text, rows), replace(shown, turns=place, page="chat")))
    return steps


def _state_steps(
    study: Study, assignment: Assignment, chat: Chat, shown: SentState, intent: Intent
) -> tuple[OutgoingStep, ...]:
    wording, key = study.file.wording, assignment.key
    if chat.state == "waiting":
        return _once("waiting", Outgoing(wording.waiting_room), shown)
    if chat.state == "failed":
        buttons = (Button(wording.retry, f"again {key}"), Button(wording.end_chat, f"end {key}"))
        return _once(f"failed {chat.change}", Outgoing(wording.bot_failed, (buttons,)), shown)
    if chat.state == "annotator" and shown.page == "waiting":
        return _once("chat", Outgoing(wording.your_turn), shown)
    if chat.state != "ended":
        return ()
    if not chat.is_usable:
        return _once("leave", _parting(wording, chat, key), shown)
    screen = screen_of(study, assignment)
    is_first = not shown.page.startswith(("screen", "reason"))
    lead = wording.chat_ended(chat.ending) if is_first else ""
    return _screen_steps(wording, key, screen, shown, intent, lead=lead)


def _way_out(wording: WordingTable, key: str, chat: Chat, shown: SentState) -> tuple[OutgoingStep, ...]:
    """Once for each reply that is awaited too long."""
    message = Outgoing(wording.slow_partner, ((Button(wording.end_chat, f"end {key}"),),))
    return _once(f"slow {len(chat.turns)}", message, shown)


def _screen_steps(
    wording: WordingTable, key: str, screen: Screen, shown: SentState, intent: Intent, *, lead: str
) -> tuple[OutgoingStep, ...]:
    if intent.asked == f"{key} {screen.number}":
        return _once(f"reason {screen.number}", reason_message(wording, key, screen), shown)
    message = screen_message(wording, key, screen)
    if lead:
        message = replace(message, text=f"{lead}\n\n{message.text}")
    return _once(f"screen {screen.number}", message, shown)


def _once(page: str, message: Outgoing, shown: SentState) -> tuple[OutgoingStep, ...]:
    return () if shown.page == page else (OutgoingStep(message, replace(shown, page=page)),)


def _offer(wording: WordingTable, key: str) -> Outgoing:
    """Between two conversations: what was done is saved, and there is another if they like."""
    return Outgoing(wording.saved, ((Button(wording.another_chat, f"begin {key}"),),))


def _parting(wording: WordingTable, chat: Chat, key: str) -> Outgoing:
    """The honest sentence at the end of a chat that could not go on."""
    return Outgoing(wording.chat_ended(chat.ending), ((Button(wording.next, f"leave {key}"),),))


def debriefing_message(study: Study) -> str:
    """What a study of declared deception tells when somebody's part is over; empty of other studies."""
    wording, consent = study.file.wording, study.file.consent
    if not consent.deception:
        return ""
    return "\n\n".join(filter(None, (wording.debriefing_title, wording.debriefing, contact_line(study))))


def blocked_message(study: Study) -> Outgoing:
    """What somebody is told who may not go on, and whom they can write to."""
    words = no_work_words(study.file.wording, NoPlace("blocked"))
    return Outgoing("\n\n".join(filter(None, (words.title, words.text, contact_line(study)))))


def contact_line(study: Study) -> str:
    """Whom annotators can write to; empty where the study does not say."""
    contact = study.file.consent.contact
    return f"{study.file.wording.consent_contact}: {contact}" if contact else ""


def _thanks(study: Study, station: ThanksStation) -> Outgoing:
    wording = study.file.wording
    code = f"{wording.code_label}: {station.code}" if station.code else ""
    parting = wording.parting(station.timed_out, station.was_stopped, station.is_empty, station.is_unanswered)
    parts = [wording.thanks_title, parting, debriefing_message(study), code]
    return Outgoing("\n\n".join(part for part in parts if part))
