"""The annotators' pages: consent, comparisons, thanks. The link is the whole of their sign-in."""

from __future__ import annotations

import math
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from duologue.errors import AnswerError
from duologue.protocols import Draft
from duologue.server.failures import PART_HEADER
from duologue.server.forms import read_form
from duologue.server.site import Site, site_of
from duologue.store import Assignment, Finished, NeedsConsent, Station, Working

MAX_SECONDS = 10_000_000.0


async def show(request: Request) -> Response:
    """Show an annotator where they are: consent, the running comparison, thanks, or no work."""
    site, token = site_of(request), request.path_params["token"]
    station = await site.store.arrive_async(token, site.caps)
    main = _station_main(site, token, station, saved="saved" in request.query_params)
    return HTMLResponse(site.pages.annotator(main))


async def consent(request: Request) -> Response:
    """Note that the annotator agrees, and hand out the first comparison."""
    site, token = site_of(request), request.path_params["token"]
    await site.store.consent_async(token, site.caps)
    return RedirectResponse(annotator_path(token), 303)


async def submit(request: Request) -> Response:
    """Store an answer and hand out the next comparison, in one go; sending it again changes nothing."""
    site, token = site_of(request), request.path_params["token"]
    form = await read_form(request)
    request.state.typed = form
    handed = await site.handed_out.find(token, form.get("assignment", ""))
    protocol, settings = site.study.protocol, site.study.settings
    try:
        answer = protocol.parse(settings, handed.arm, handed.item, form)
    except AnswerError as error:
        return await _ask_again(request, site, token, form, error)
    if isinstance(answer, Draft):
        raise NotImplementedError  # several screens are on their way
    station = await site.store.submit_async(
        token,
        site.caps,
        assignment=handed.key,
        answer=answer,
        seconds=_visible_seconds(form),
        is_correct=protocol.is_correct(settings, handed.arm, handed.item, handed.order, answer),
        key=form.get("key", ""),
    )
    if PART_HEADER in request.headers:
        return HTMLResponse(_station_main(site, token, station, saved=False))
    return RedirectResponse(annotator_path(token) + "?saved", 303)


def annotator_path(token: str) -> str:
    """Where an annotator's pages are."""
    return f"/a/{token}"


routes = [
    Route("/a/{token}", show, methods=["GET"]),
    Route("/a/{token}/consent", consent, methods=["POST"]),
    Route("/a/{token}/submit", submit, methods=["POST"]),
]


async def _ask_again(
    request: Request, site: Site, token: str, form: Mapping[str, str], error: AnswerError
) -> Response:
    """Show the comparison again with what was typed and what is missing."""
    message = _in_the_studys_words(site, form, error)
    if PART_HEADER in request.headers:
        raise AnswerError(message, field=error.field) from error
    station = await site.store.arrive_async(token, site.caps)
    is_same = isinstance(station, Working) and station.assignment.key == form.get("assignment")
    main = _station_main(
        site, token, station, saved=False, typed=form if is_same else {}, problem=message if is_same else ""
    )
    return HTMLResponse(site.pages.annotator(main), 422)


def _in_the_studys_words(site: Site, form: Mapping[str, str], error: AnswerError) -> str:
    wording = site.study.file.wording
    if error.field == "choice":
        return wording.choose_first
    if error.field == "reason" and not form.get("reason", "").strip():
        return wording.reason_missing
    return str(error)


def _station_main(
    site: Site,
    token: str,
    station: Station,
    *,
    saved: bool,
    typed: Mapping[str, str] | None = None,
    problem: str = "",
) -> str:
    if isinstance(station, Working):
        return _comparison(site, token, station.assignment, saved, typed or {}, problem)
    if isinstance(station, NeedsConsent):
        return site.pages.main("consent.html", action=annotator_path(token) + "/consent")
    if isinstance(station, Finished):
        return site.pages.main("thanks.html", code=station.code)
    return site.pages.main("no_work.html")


def _comparison(
    site: Site, token: str, assignment: Assignment, saved: bool, typed: Mapping[str, str], problem: str
) -> str:
    site.handed_out.remember(token, assignment)
    study = site.study
    view = study.protocol.view(
        study.settings,
        assignment.arm,
        assignment.item,
        assignment.dialogues,
        assignment.order,
        draft=assignment.draft,
    )
    return site.pages.main(
        study.protocol.template,
        view=view,
        key=assignment.key,
        submission=f"{site.submission_keys.getrandbits(96):024x}",
        action=annotator_path(token) + "/submit",
        number=assignment.number,
        total=assignment.total,
        progress=_progress(study.file.wording.progress, assignment),
        saved=saved,
        typed={"choice": typed.get("choice", ""), "reason": typed.get("reason", "")},
        problem=problem,
    )


def _progress(wording: str, assignment: Assignment) -> str:
    """The study's words with the numbers filled in; any other braces are just text."""
    return wording.replace("{number}", str(assignment.number)).replace("{total}", str(assignment.total))


def _visible_seconds(form: Mapping[str, str]) -> float | None:
    """The seconds our script counted; None (the store then takes wall time) without script."""
    try:
        seconds = float(form.get("seconds", ""))
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and 0 <= seconds <= MAX_SECONDS else None
