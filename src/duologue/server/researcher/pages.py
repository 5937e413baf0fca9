"""The researcher's pages: how far the study has come, who judges, what is in progress and excluded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeVar, cast

from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from duologue.errors import AnswerError
from duologue.expected import refusal
from duologue.protocols import QuestionCounts
from duologue.server.annotator.forms import read_form
from duologue.server.researcher.api_records import InviteRequest, ReasonRequest
from duologue.server.researcher.codes import codes_download, codes_in
from duologue.server.researcher.csrf import csrf_token
from duologue.server.researcher.flagged import flagged_so_far
from duologue.server.researcher.links import annotator_link, base_of, open_links
from duologue.server.researcher.looks import explained, note_dashboard_look, say_blocking, say_unblocking
from duologue.server.researcher.overview import ANYTIME, study_overview
from duologue.server.researcher.paging import one_page, place_in_list
from duologue.server.researcher.reasons import shown_reasons
from duologue.server.researcher.sign_in import check_form, check_signed_in
from duologue.server.researcher.tables import MEDIA_TYPES, DownloadFormat, download, forms_table
from duologue.server.researcher.transcripts import transcript
from duologue.server.running.preparing import live_bots
from duologue.server.site import Site, site_of
from duologue.store import (
    REHEARSAL,
    CohortSize,
    block_annotator,
    check_codes,
    fetch_annotator,
    fetch_annotator_events,
    fetch_chat_summary,
    fetch_cohorts,
    fetch_fact,
    fetch_labels,
    fetch_revisions,
    fetch_skips,
    form_counts,
    invite_annotators,
    list_annotators,
    list_chats,
    list_codes,
    list_exclusions,
    list_leases,
    old_copies,
    release_assignment,
    repeated_codes,
    restore_link,
    revoke_link,
    unblock_annotator,
    withdraw_annotator,
)

BY = "researcher"

Body = TypeVar("Body", bound=BaseModel)


def overview(request: Request) -> Response:
    """Show how far every group of items has come."""
    site = _signed_in(request)
    found = study_overview(site.study, site.store)
    note_dashboard_look(site, found)
    arms = {arm.name: arm.summary for arm in site.study.arms}
    return _page(
        request,
        "overview.html",
        overview=found,
        flags=flagged_so_far(site),
        skips=site.store.run(fetch_skips()),
        arms=arms,
        leading={arm.name: arm.leading for arm in site.study.arms},
        alpha=site.study.file.stopping.alpha,
        anytime=ANYTIME,
        steps=site.study.protocol.study_steps(),
        group_noun=site.study.protocol.group_noun,
        cohorts=_cohorts(site),
    )


def _cohorts(site: Site) -> list[CohortSize]:
    """Every cohort of the study, also those to which nobody belongs yet."""
    found = {one.cohort: one for one in site.store.run(fetch_cohorts())}
    names = dict.fromkeys([*(cohort.name for cohort in site.study.file.cohorts), *found])
    return [found.get(name) or CohortSize(name, 0, 0, 0) for name in names] if site.study.file.cohorts else []


def annotators(request: Request) -> Response:
    """Show who judges, how much, how fast and how well."""
    site = _signed_in(request)
    found, page = one_page(request, site.store, list_annotators)
    return _page(request, "annotators.html", annotators=found, page=page)


def one_annotator(request: Request) -> Response:
    """Show all there is to know about one annotator, and what can be done about them."""
    site = _signed_in(request)
    key = request.path_params["annotator"]
    found, events = site.store.run(fetch_annotator(key)), site.store.run(fetch_annotator_events(key))
    copies = [copy.name for copy in old_copies(site.study.folder)] if found.is_withdrawn else []
    return _page(
        request,
        "one_annotator.html",
        annotator=found,
        events=events,
        old_copies=copies,
        does=say_unblocking(found) if found.is_blocked else say_blocking(site.study, site.store, found),
    )


def links(request: Request) -> Response:
    """Show every link, and make new ones."""
    site = _signed_in(request)
    base = base_of(request)
    found, page = one_page(request, site.store, partial(list_annotators, kind="lab"))
    lab = [(annotator, annotator_link(base, annotator.token)) for annotator in found]
    return _page(
        request,
        "links.html",
        lab=lab,
        page=page,
        open_links=open_links(base, site.study, site.keys()),
        cohorts=site.study.link_cohorts,
    )


def codes(request: Request) -> Response:
    """Show every completion code with what was done for it, and check those that people handed in."""
    site = _signed_in(request)
    found, page = one_page(request, site.store, list_codes)
    asked = codes_in(request.query_params.get("codes", ""))
    checked = site.store.run(check_codes(asked))
    return _page(
        request,
        "codes.html",
        codes=found,
        page=page,
        checked=checked,
        repeated=repeated_codes(asked),
        asked="\n".join(asked),
    )


def codes_file(request: Request) -> Response:
    """Send all completion codes as a table."""
    return codes_download(_signed_in(request).store.run(list_codes()).rows)


def leases(request: Request) -> Response:
    """Show the assignments in progress."""
    site = _signed_in(request)
    found, page = one_page(request, site.store, list_leases)
    labels = site.store.run(fetch_labels([lease.annotator for lease in found]))
    protocol = site.study.protocol
    return _page(
        request,
        "leases.html",
        leases=found,
        page=page,
        labels=labels,
        say_group=protocol.say_group,
        group_noun=protocol.group_noun,
    )


def chats(request: Request) -> Response:
    """Show every live chat: with whom, how far, how it ended, what failed and what was flagged."""
    site = _signed_in(request)
    found, page = one_page(request, site.store, list_chats, newest_first=True)
    labels = site.store.run(fetch_labels([chat.annotator for chat in found]))
    return _page(request, "chats.html", chats=found, page=page, labels=labels)


def one_chat(request: Request) -> Response:
    """Show what was said in a live chat that is over."""
    site = _signed_in(request)
    found = transcript(site.store, request.path_params["chat"])
    summary = site.store.run(fetch_chat_summary(found.id))
    labels = site.store.run(fetch_labels([summary.annotator]))
    return _page(request, "one_chat.html", transcript=found, chat=summary, labels=labels)


def forms(request: Request) -> Response:
    """Show how annotators answered the questions about them, as counts."""
    site = _signed_in(request)
    titles = {form.name: form.title for form in site.study.file.forms}
    found: dict[str, list[QuestionCounts]] = {}
    for one in form_counts(site.study, site.store):
        found.setdefault(titles.get(one.form, one.form), []).append(one)
    return _page(request, "forms.html", forms=found)


def forms_download(request: Request) -> Response:
    """Send all filled-in forms as a table of their own."""
    site = _signed_in(request)
    return forms_table(site.study, site.store, _table_kind(request))


def reasons(request: Request) -> Response:
    """Show what annotators wrote; who won only where the overview shows win rates, which is a look then."""
    site = _signed_in(request)
    shown = shown_reasons(request, site)
    if shown.tells:
        note_dashboard_look(site, shown.overview)
    labels = site.store.run(fetch_labels([row.given.annotator for row in shown.rows]))
    return _page(
        request,
        "reasons.html",
        shown=shown,
        labels=labels,
        compares=shown.overview.compares,
        group_noun=site.study.protocol.group_noun,
    )


def judgments(request: Request) -> Response:
    """Show what was excluded and why, and offer the judgments as a download."""
    site = _signed_in(request)
    found, page = one_page(request, site.store, list_exclusions, newest_first=True)
    labels = site.store.run(fetch_labels([one.annotator for one in found]))
    rows = explained(site, found)
    return _page(request, "judgments.html", exclusions=rows, page=page, labels=labels)


def judgments_download(request: Request) -> Response:
    """Send all judgments as a table."""
    site = _signed_in(request)
    return download(site.study, site.store, _table_kind(request))


def _table_kind(request: Request) -> DownloadFormat:
    kind = request.path_params["kind"]
    if kind not in MEDIA_TYPES:
        raise AnswerError("The table can be had as csv or jsonl.", field="kind")
    return cast(DownloadFormat, kind)


def api_page(request: Request) -> Response:
    """Show what the API offers, from its own description; open to everybody, for it holds no data."""
    page = site_of(request).pages.researcher("api.html", description=request.app.openapi())
    return HTMLResponse(page)


Form = Mapping[str, str]


async def _act(request: Request, act: Callable[[Site, Form], object], back: str) -> Response:
    """Do what a form asks for, once it is sure that it is the researcher who asks."""
    form = await read_form(request)
    await run_in_threadpool(check_form, request, form)
    await run_in_threadpool(act, site_of(request), form)
    return RedirectResponse(back + place_in_list(form), 303)


async def invite(request: Request) -> Response:
    """Make links for annotators."""
    return await _act(request, _invite, "/researcher/links")


def _invite(site: Site, form: Form) -> None:
    labels = [label.strip() for label in form.get("labels", "").splitlines() if label.strip()]
    count = _number(form.get("count", "").strip() or "1")
    wanted = _checked(InviteRequest, {"labels": labels, "count": count, "cohort": form.get("cohort", "")})
    site.study.check_cohort(wanted.cohort)
    site.store.run(
        invite_annotators(len(wanted.labels) or wanted.count, labels=wanted.labels, cohort=wanted.cohort)
    )


def _number(text: str) -> int | str:
    """The number that was typed; anything else, and one without end, as it is, to be refused."""
    return int(text) if text.isdecimal() and len(text) < 10 else text


def _checked(kind: type[Body], fields: dict[str, object]) -> Body:
    """What a form asks for, held to the limits that the API has.

    Raises:
        AnswerError: A field is not what it should be.
    """
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        raise AnswerError(f"{_EXPECTED.get(name, f'{name}: {refusal(first)}')}", field=name) from None


_EXPECTED = {
    "count": "Please give a number from 1 to 1000.",
    "labels": "Please give at most 1000 names of at most 2000 characters.",
    "reason": "Please say why, in at most 2000 characters; it is kept with the study.",
}


def _annotator_action(verb: str) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        annotator = request.path_params["annotator"]
        is_about_links = verb in ("revoke", "unrevoke")
        back = "/researcher/links" if is_about_links else f"/researcher/annotators/{annotator}"
        return await _act(request, lambda site, form: _do(site, verb, annotator, form), back)

    return endpoint


def _do(site: Site, verb: str, annotator: str, form: Form) -> None:
    store = site.store
    if verb == "revoke":
        store.run(revoke_link(annotator))
    elif verb == "unrevoke":
        store.run(restore_link(annotator))
    elif verb == "block":
        store.run(block_annotator(annotator, reason=_reason(form), by=BY))
    elif verb == "unblock":
        store.run(unblock_annotator(annotator, site.caps, reason=_reason(form), by=BY))
    else:
        store.run(withdraw_annotator(annotator, reason=_reason(form)))


def _reason(form: Form) -> str:
    return _checked(ReasonRequest, {"reason": form.get("reason", "")}).reason


async def release(request: Request) -> Response:
    """Take an assignment back."""
    assignment = request.path_params["assignment"]
    return await _act(
        request,
        lambda site, form: site.store.run(release_assignment(assignment, site.caps, by=BY)),
        "/researcher/leases",
    )


def without_slash(request: Request) -> Response:
    """Send whoever typed a slash at the end to the overview."""
    return RedirectResponse("/researcher", 308)


routes = [
    Route("/researcher", overview, methods=["GET"]),
    Route("/researcher/", without_slash, methods=["GET"]),
    Route("/researcher/annotators", annotators, methods=["GET"]),
    Route("/researcher/annotators/{annotator}", one_annotator, methods=["GET"]),
    Route("/researcher/codes", codes, methods=["GET"]),
    Route("/researcher/codes.csv", codes_file, methods=["GET"]),
    Route("/researcher/links", links, methods=["GET"]),
    Route("/researcher/links", invite, methods=["POST"]),
    Route("/researcher/leases", leases, methods=["GET"]),
    Route("/researcher/leases/{assignment}/release", release, methods=["POST"]),
    Route("/researcher/chats", chats, methods=["GET"]),
    Route("/researcher/chats/{chat}", one_chat, methods=["GET"]),
    Route("/researcher/forms", forms, methods=["GET"]),
    Route("/researcher/forms.{kind}", forms_download, methods=["GET"]),
    Route("/researcher/reasons", reasons, methods=["GET"]),
    Route("/researcher/judgments", judgments, methods=["GET"]),
    Route("/researcher/judgments.{kind}", judgments_download, methods=["GET"]),
    *(
        Route(f"/researcher/annotators/{{annotator}}/{verb}", _annotator_action(verb), methods=["POST"])
        for verb in ("block", "unblock", "revoke", "unrevoke", "withdraw")
    ),
    Route("/api/docs", api_page, methods=["GET"]),
]


def _signed_in(request: Request) -> Site:
    check_signed_in(request)
    return site_of(request)


def _may_have_reasons(site: Site) -> bool:
    """Whether annotators are asked why, or were before the study was changed."""
    facts = site.study.protocol.facts()
    return facts is None or "reasons" in facts or len(site.store.run(fetch_revisions())) > 1


def _page(request: Request, template: str, **values: object) -> Response:
    site = site_of(request)
    page = site.pages.researcher(
        template,
        csrf_token=csrf_token(site, check_signed_in(request)),
        is_rehearsal=bool(site.store.run(fetch_fact(REHEARSAL))),
        has_chats=bool(live_bots(site.store)),
        has_forms=bool(site.study.file.forms),
        has_reasons=_may_have_reasons(site),
        has_arms=len(site.study.arms) > 1,
        has_cohorts=bool(site.study.file.cohorts),
        **values,
    )
    return HTMLResponse(page)
