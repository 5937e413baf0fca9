"""Forms about the annotator: shown where they stand, read with errors beside the questions, stored apart."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from duologue.server.annotator import actions
from duologue.server.annotator.forms import read_form
from duologue.server.annotator.stations import annotator_path, form_main, outcome_of
from duologue.server.site import site_of
from duologue.store import FormStation
from duologue.studies import read_answers


async def fill_in(request: Request) -> Response:
    """Store a form that was filled in, or show it again with what was typed and what is not right."""
    site, token = site_of(request), request.path_params["token"]
    sent = await read_form(request)
    request.state.typed = sent
    name = sent.get("form", "")
    form = site.study.form(name)
    read = read_answers(form, sent, site.study.file.wording)
    if not read.problems:
        after = await actions.fill_in(site, token, name, read.answers)
        return RedirectResponse(f"{annotator_path(token)}?{outcome_of(after)}", 303)
    station = await actions.arrive(site, token)
    if not isinstance(station, FormStation) or station.form != name:
        return RedirectResponse(annotator_path(token), 303)
    main = form_main(site, token, form, typed=sent, problems=read.problems)
    return HTMLResponse(site.pages.annotator(main), 422)


routes = [Route("/a/{token}/form", fill_in, methods=["POST"])]
