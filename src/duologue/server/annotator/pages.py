"""The annotators' pages: consent, what is judged, thanks. The link is the whole of their sign-in."""

from __future__ import annotations

import math
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from duologue.errors import AnswerError
from duologue.protocols import FormValues
from duologue.server.annotator import actions
from duologue.server.annotator.forms import read_form
from duologue.server.annotator.stations import (
    OUTCOMES,
    PageState,
    annotator_path,
    outcome_of,
    refreshes,
    station_main,
)
from duologue.server.failures import PART_HEADER
from duologue.server.site import Site, site_of
from duologue.store import ItemStation, Station, has_agreed

MAX_SECONDS = 10_000_000.0
OUTCOME_HEADER = "duologue-outcome"
"""Tells our script what became of what it sent."""


async def show(request: Request) -> Response:
    """Show an annotator where they are: consent, what is being judged, thanks, or no work."""
    site, token = site_of(request), request.path_params["token"]
    station = await actions.arrive(site, token)
    asked = request.query_params
    outcome = next((one for one in OUTCOMES if one in asked), None)
    return whole_page(site, token, station, PageState(outcome, chat_first="chat" in asked))


async def consent(request: Request) -> Response:
    """Note that the annotator agrees, and hand out the first item."""
    site, token = site_of(request), request.path_params["token"]
    await actions.consent(site, token)
    return RedirectResponse(annotator_path(token), 303)


async def decline(request: Request) -> Response:
    """Note that the annotator does not agree."""
    site, token = site_of(request), request.path_params["token"]
    has_declined = await actions.decline(site, token)
    return RedirectResponse(annotator_path(token) + ("/declined" if has_declined else ""), 303)


async def declined(request: Request) -> Response:
    """Tell somebody who did not agree what that means; they may change their mind."""
    site, token = site_of(request), request.path_params["token"]
    if await site.store.run_async(has_agreed(token)):
        return RedirectResponse(annotator_path(token), 303)
    return HTMLResponse(site.pages.annotator(site.pages.main("declined.html", place=annotator_path(token))))


async def submit(request: Request) -> Response:
    """Store an answer and hand out the next item, in one go; sending it again changes nothing."""
    site, token = site_of(request), request.path_params["token"]
    form = await read_form(request)
    request.state.typed = form
    handed = await site.recent_assignments.find(token, form.get("assignment", ""))
    try:
        station = await actions.submit_answer(
            site, token, handed, form, key=form.get("key", ""), seconds=visible_seconds(form)
        )
    except AnswerError as error:
        return await _ask_again(request, site, token, form, error)
    outcome = outcome_of(station)
    if PART_HEADER in request.headers:  # our script says itself that something is saved
        shown = PageState(None if outcome == "saved" else outcome)
        return HTMLResponse(station_main(site, token, station, shown), headers={OUTCOME_HEADER: outcome})
    return RedirectResponse(f"{annotator_path(token)}?{outcome}", 303)


async def skip(request: Request) -> Response:
    """Skip the item in hand and go on to the next; skipping it again changes nothing."""
    site, token = site_of(request), request.path_params["token"]
    form = await read_form(request)
    station = await actions.skip(site, token, form.get("assignment", ""))
    if PART_HEADER in request.headers:
        return HTMLResponse(station_main(site, token, station, PageState()))
    return RedirectResponse(annotator_path(token), 303)


routes = [
    Route("/a/{token}/submit", submit, methods=["POST"]),  # what is asked for most comes first
    Route("/a/{token}", show, methods=["GET"]),
    Route("/a/{token}/skip", skip, methods=["POST"]),
    Route("/a/{token}/consent", consent, methods=["POST"]),
    Route("/a/{token}/decline", decline, methods=["POST"]),
    Route("/a/{token}/declined", declined, methods=["GET"]),
]


def whole_page(site: Site, token: str, station: Station, shown: PageState, status: int = 200) -> Response:
    """A whole page for an annotator who stands here."""
    main = station_main(site, token, station, shown)
    return HTMLResponse(site.pages.annotator(main, refresh=refreshes(station)), status)


async def _ask_again(
    request: Request, site: Site, token: str, form: FormValues, error: AnswerError
) -> Response:
    """Show the page again with what was typed and what is missing."""
    message = in_the_studys_words(site, form, error)
    if PART_HEADER in request.headers:
        raise AnswerError(message, field=error.field) from error
    station = await actions.arrive(site, token)
    is_same = isinstance(station, ItemStation) and station.assignment.key == form.get("assignment")
    shown = PageState(typed=form, problem=message) if is_same else PageState()
    return whole_page(site, token, station, shown, 422)


def in_the_studys_words(site: Site, form: Mapping[str, str], error: AnswerError) -> str:
    """What is wrong with an answer, as the study says it."""
    wording = site.study.file.wording
    if error.question:
        return wording.question_missing.replace("{question}", error.question)
    if error.field == "choice":
        return wording.choose_first
    if error.field == "reason" and not form.get("reason", "").strip():
        return wording.reason_missing
    return str(error)


def visible_seconds(form: Mapping[str, str]) -> float | None:
    """The seconds our script counted; None (the store then takes wall time) without script."""
    try:
        seconds = float(form.get("seconds", ""))
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and 0 <= seconds <= MAX_SECONDS else None
