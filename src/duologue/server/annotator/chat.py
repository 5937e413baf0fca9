"""Live chats: saying something, ending, trying again, leaving; and following what the partner says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from functools import partial
from time import monotonic

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from duologue.errors import AnswerError, ChatError, DuologueError, NotFound
from duologue.protocols import FormValues
from duologue.server.annotator import actions
from duologue.server.annotator.changes import ChatOnce
from duologue.server.annotator.forms import read_form
from duologue.server.annotator.pages import in_the_studys_words, visible_seconds, whole_page
from duologue.server.annotator.recent_assignments import AskedAssignment
from duologue.server.annotator.stations import (
    Outcome,
    PageState,
    annotator_path,
    chat_main,
    new_submission,
    outcome_of,
    station_main,
)
from duologue.server.failures import PART_HEADER
from duologue.server.site import Site, site_of
from duologue.store import Station, fetch_assignment_in_hand, fetch_chat

BEAT_SECONDS = 10.0
"""How often a stream without news shows that it is alive."""
REPLACED = "event: replaced\ndata:\n\n"
"""The last of a stream that gave way to newer ones: its page asks now and then instead."""


async def say(request: Request) -> Response:
    """Store what the annotator says, and have the bot asked; sending it again changes nothing."""
    site, token = site_of(request), request.path_params["token"]
    form = await read_form(request)
    try:
        station = await actions.say(
            site,
            token,
            form.get("assignment", ""),
            form.get("text", ""),
            key=form.get("key", ""),
            seconds=visible_seconds(form),
        )
    except (AnswerError, ChatError) as error:
        return await _say_again(request, site, token, form, error)
    return _go_on(request, site, token, station, outcome=None if station.saved else outcome_of(station))


async def select(request: Request) -> Response:
    """Go on with what was chosen among the candidates of a turn; sending it again changes nothing."""
    site, token = site_of(request), request.path_params["token"]
    form = await read_form(request)
    try:
        station = await actions.choose(
            site, token, form.get("assignment", ""), form, seconds=visible_seconds(form)
        )
    except (AnswerError, ChatError) as error:
        return await _say_again(request, site, token, form, error)
    return _go_on(request, site, token, station)


async def end(request: Request) -> Response:
    """End the conversation as the annotator wishes."""
    site, token = site_of(request), request.path_params["token"]
    form = await read_form(request)
    key = form.get("assignment", "")
    station = await actions.end_chat(site, token, key)
    if actions.is_done(site, station, key):
        handed = await site.recent_assignments.find(token, key)
        station = await actions.submit_nothing(site, token, handed, form, key=form.get("key", ""))
    return _go_on(request, site, token, station, chat_first=False)


async def again(request: Request) -> Response:
    """Ask once more for the reply that failed."""
    site, token = site_of(request), request.path_params["token"]
    key = (await read_form(request)).get("assignment", "")
    return _go_on(request, site, token, await actions.try_again(site, token, key))


async def leave(request: Request) -> Response:
    """Go on after a chat that could not be finished."""
    site, token = site_of(request), request.path_params["token"]
    key = (await read_form(request)).get("assignment", "")
    station = await actions.leave_chat(site, token, key)
    return _go_on(request, site, token, station, chat_first=False)


async def part(request: Request) -> Response:
    """The chat as it stands; 204 when nothing has happened since the change ``after``."""
    site, token = site_of(request), request.path_params["token"]
    handed = await _handed(request, site, token)
    chat = await site.store.run_async(fetch_chat(token, handed.key))
    if str(chat.change) == request.query_params.get("after", ""):
        return Response(status_code=204)
    return HTMLResponse(chat_main(site, token, handed, chat, new_submission(site), shown=PageState()))


async def events(request: Request) -> Response:
    """The chat as a stream of server-sent events, one for every change."""
    site, token = site_of(request), request.path_params["token"]
    handed = await _handed(request, site, token)
    seen = request.headers.get("last-event-id") or request.query_params.get("after", "")
    return StreamingResponse(
        _stream(site, token, handed, seen),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


routes = [
    Route("/a/{token}/say", say, methods=["POST"]),
    Route("/a/{token}/select", select, methods=["POST"]),
    Route("/a/{token}/end", end, methods=["POST"]),
    Route("/a/{token}/again", again, methods=["POST"]),
    Route("/a/{token}/leave", leave, methods=["POST"]),
    Route("/a/{token}/chat", part, methods=["GET"]),
    Route("/a/{token}/events", events, methods=["GET"]),
]


async def _stream(site: Site, token: str, handed: AskedAssignment, seen: str) -> AsyncIterator[str]:
    async def read() -> ChatOnce:
        chat = await site.store.run_async(fetch_chat(token, handed.key))
        return ChatOnce(chat, partial(chat_main, site, token, handed, shown=PageState()))

    yield "retry: 1000\nevent: beat\ndata:\n\n"
    next_beat = monotonic() + BEAT_SECONDS  # by the clock: a reply that is not shown yet must not move it
    with site.changes.follow(handed.key) as follower:
        while not site.changes.is_closed:
            if follower.is_replaced:
                yield REPLACED
                return
            try:
                now = await follower.latest(read)
            except DuologueError:  # the link was revoked, or the database is away: the page asks again
                return
            if str(now.chat.change) != seen:
                seen = str(now.chat.change)
                content = json.dumps({"main": now.main(new_submission(site))})
                yield f"id: {seen}\nevent: chat\ndata: {content}\n\n"
            if now.chat.state == "ended":
                return
            if not await follower.wait(max(0.0, next_beat - monotonic())):
                next_beat += BEAT_SECONDS
                yield "event: beat\ndata:\n\n"


async def _handed(request: Request, site: Site, token: str) -> AskedAssignment:
    """The assignment asked for; the one in the annotator's hands when none is named.

    Raises:
        NotFound: It is not theirs, or there is none.
    """
    key = request.query_params.get("assignment", "")
    if not key:
        key = await site.store.run_async(fetch_assignment_in_hand(token))
        if not key:
            raise NotFound("assignment", "in hand")
    return await site.recent_assignments.find(token, key)


def _go_on(
    request: Request,
    site: Site,
    token: str,
    station: Station,
    *,
    chat_first: bool = True,
    outcome: Outcome | None = None,
) -> Response:
    """Show where the annotator stands now; a chat that has just ended, once more with its last turn.

    Args:
        request: What was sent.
        site: The study as it is served.
        token: The annotator's.
        station: Where they stand.
        chat_first: Whether a chat that is over is shown once more.
        outcome: What became of what was sent, where it was not saved.
    """
    if PART_HEADER in request.headers:
        return HTMLResponse(station_main(site, token, station, PageState(outcome, chat_first=chat_first)))
    query = "&".join(filter(None, ("chat" if chat_first else "", outcome)))
    return RedirectResponse(annotator_path(token) + (f"?{query}" if query else ""), 303)


async def _say_again(
    request: Request, site: Site, token: str, form: FormValues, error: AnswerError | ChatError
) -> Response:
    """Show the chat as it stands, with what could not be sent and why."""
    most, wording = site.caps.chat.max_message_chars, site.study.file.wording
    message = str(error)
    if isinstance(error, AnswerError) and error.field == "text":
        is_long = len(form.get("text", "")) > most
        message = wording.too_long.replace("{most}", str(most)) if is_long else wording.your_turn
    elif isinstance(error, AnswerError) and error.question:
        message = in_the_studys_words(site, form, error)
    if PART_HEADER in request.headers:
        raise error if isinstance(error, ChatError) else AnswerError(message, field=error.field) from error
    station = await actions.arrive(site, token)
    if actions.chat_in(station, form.get("assignment", "")) is None:
        return RedirectResponse(annotator_path(token), 303)
    shown = PageState(typed=form, problem=message, chat_first=True)
    return whole_page(site, token, station, shown, 409 if isinstance(error, ChatError) else 422)
