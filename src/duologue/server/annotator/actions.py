"""What an annotator does, whichever way they came: the pages and Telegram call the same actions.

Each action gives back where the annotator stands afterwards, and has the bot asked at once where a live chat
waits for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from duologue.dialogues import Json
from duologue.errors import ProtocolError
from duologue.protocols import TURN_BY_TURN, AtTurn, Draft, FormValues, Selection
from duologue.screening import PAGE_FLAGS
from duologue.server.annotator.flags import flags_of_page
from duologue.server.annotator.recent_assignments import AskedAssignment
from duologue.server.site import Site
from duologue.store import (
    Chat,
    ItemStation,
    Station,
    abandon_chat,
    choose_candidates,
    decline_consent,
    fetch_assignment,
    fill_in_form,
    finish_chat,
    give_consent,
    keep_draft,
    record_answer,
    resume_sitting,
    retry_reply,
    skip_item,
    take_turn,
)

TURN_FIELD = "turn"
"""On the cards of a live chat: which turn they belong to."""
SCREEN_FIELD = "screen"
"""On the forms of protocols that ask on several screens: what earlier ones gave is looked up then."""


async def arrive(site: Site, token: str) -> Station:
    """Come, or look again; an assignment is handed out where there is one."""
    return _expecting(site, await site.store.run_async(resume_sitting(token, site.caps)))


async def consent(site: Site, token: str) -> Station:
    """Agree to take part."""
    return _expecting(site, await site.store.run_async(give_consent(token, site.caps)))


async def fill_in(site: Site, token: str, form: str, answers: Mapping[str, Json]) -> Station:
    """Fill in a form about oneself; one that was filled in already stays as it was."""
    cohort = site.study.cohort_by(form, answers)
    filled = fill_in_form(token, site.caps, form=form, answers=answers, cohort=cohort)
    return _expecting(site, await site.store.run_async(filled))


async def decline(site: Site, token: str) -> bool:
    """Say that one does not agree; whether that holds, which it does not for those who have agreed before."""
    return await site.store.run_async(decline_consent(token))


async def submit_answer(
    site: Site,
    token: str,
    handed: AskedAssignment,
    form: FormValues,
    *,
    key: str,
    seconds: float | None = None,
) -> Station:
    """Answer, on one screen or the next of several.

    Args:
        site: The study as it is served.
        token: The annotator's.
        handed: What the answer is to.
        form: What was sent.
        key: The same key has the same effect, however often it comes.
        seconds: How long it took, where the page says so.

    Raises:
        AnswerError: The answer is not legal.
        StoreError: It could not be stored.
    """
    protocol, asked = site.study.protocol, handed.asked
    if SCREEN_FIELD in form or TURN_BY_TURN in asked.item.extras:
        earlier = await site.store.run_async(fetch_assignment(token, handed.key))
        asked = replace(asked, draft=earlier.draft, selections=earlier.selections)
    answer = protocol.read(asked, form.over(asked.draft))
    if isinstance(answer, Draft):
        station = await site.store.run_async(
            keep_draft(token, site.caps, assignment=handed.key, fields=answer.fields)
        )
    elif isinstance(answer, Selection):
        station = await site.store.run_async(
            choose_candidates(
                token, site.caps, assignment=handed.key, selection=answer, key=key, seconds=seconds
            )
        )
        if is_done(site, station, handed.key):
            return await submit_nothing(site, token, handed, form, key=key)
    else:
        flags, words = await site.screening.look_at(site.store, token, handed, answer)
        station = await site.store.run_async(
            record_answer(
                token,
                site.caps,
                assignment=handed.key,
                answer=answer,
                seconds=seconds,
                is_correct=protocol.is_correct(asked, answer),
                key=key,
                broken_rules=protocol.screen(asked, answer),
                flags=(*flags, *flags_of_page(form)),
                words=words,
                position_of=protocol.position_chosen,
            )
        )
    return _expecting(site, station)


def is_done(site: Site, station: Station, assignment: str) -> bool:
    """Whether nothing more is asked about an assignment that the annotator still has in hand."""
    if not isinstance(station, ItemStation) or station.assignment.key != assignment:
        return False
    chat = station.assignment.chat
    is_over = chat is None or (chat.state == "ended" and chat.is_usable)
    return is_over and not site.study.protocol.show(station.assignment.asked).asks


async def submit_nothing(
    site: Site, token: str, handed: AskedAssignment, form: FormValues, *, key: str
) -> Station:
    """Submit where nothing more is asked, with what the page saw; doing it again changes nothing."""
    seen = FormValues({name: "1" for name in PAGE_FLAGS if form.get(name) == "1"})
    return await submit_answer(site, token, handed, seen, key=key, seconds=0.0)


async def skip(site: Site, token: str, assignment: str) -> Station:
    """Skip an item; skipping it again changes nothing."""
    return _expecting(site, await site.store.run_async(skip_item(token, site.caps, assignment=assignment)))


async def say(
    site: Site, token: str, assignment: str, text: str, *, key: str, seconds: float | None = None
) -> Station:
    """Have a turn in a live chat.

    Raises:
        AnswerError: It is empty or too long.
        ChatError: It is not the annotator's turn, or the chat is over.
        TooManyTries: The annotator writes too fast.
    """
    site.message_rate.check(token)
    station = await site.store.run_async(
        take_turn(token, site.caps, assignment=assignment, text=text, key=key, seconds=seconds)
    )
    return _expecting(site, station)


async def choose(
    site: Site, token: str, assignment: str, form: FormValues, *, seconds: float | None = None
) -> Station:
    """Choose among the candidates of a turn; a form of an earlier turn changes nothing.

    Raises:
        AnswerError: It is not what may be chosen.
        ChatError: There is nothing to choose any more.
        ProtocolError: The protocol makes something else of it.
    """
    held = await site.store.run_async(fetch_assignment(token, assignment))
    moment = held.asked.moment
    is_now = isinstance(moment, AtTurn) and bool(moment.candidates)
    if not is_now or form.get(TURN_FIELD, "") != str(held.chat.turn if held.chat else ""):
        return await arrive(site, token)
    selection = site.study.protocol.read(held.asked, form)
    if not isinstance(selection, Selection):
        name = site.study.protocol.name
        raise ProtocolError(name, "reads no selection at a turn of a chat", "Let `read` return one.")
    chosen = choose_candidates(
        token, site.caps, assignment=assignment, selection=selection, key=form.get("key", ""), seconds=seconds
    )
    return _expecting(site, await site.store.run_async(chosen))


async def try_again(site: Site, token: str, assignment: str) -> Station:
    """Have the bot asked once more for the reply that failed."""
    return _expecting(site, await site.store.run_async(retry_reply(token, site.caps, assignment=assignment)))


async def end_chat(site: Site, token: str, assignment: str) -> Station:
    """End a live chat; one that could not go on is left at once, with credit."""
    station = await site.store.run_async(finish_chat(token, site.caps, assignment=assignment))
    chat = chat_in(station, assignment)
    if chat is not None and chat.state == "ended" and not chat.is_usable:
        return await leave_chat(site, token, assignment)
    return _expecting(site, station)


async def leave_chat(site: Site, token: str, assignment: str) -> Station:
    """Go on after a live chat that could not be finished; the annotator's time counts."""
    return _expecting(site, await site.store.run_async(abandon_chat(token, site.caps, assignment=assignment)))


def chat_in(station: Station, assignment: str) -> Chat | None:
    """The live chat of an assignment, when the annotator stands there."""
    if isinstance(station, ItemStation) and station.assignment.key == assignment:
        return station.assignment.chat
    return None


def _expecting(site: Site, station: Station) -> Station:
    """Have the bots asked at once when an annotator comes to stand in a chat that waits for them."""
    if isinstance(station, ItemStation) and station.assignment.chat is not None:
        if station.assignment.chat.state == "partner":
            for bot in station.assignment.item.bots:
                site.replies.wake(bot)
        site.changes.wake()
    return station
