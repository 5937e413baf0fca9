"""The JSON API: everything the researcher's pages show and do, for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from duologue.errors import NotFound, SignInNeeded
from duologue.server.limits import address_of
from duologue.server.researcher import api_records as records
from duologue.server.researcher.flagged import flagged_so_far
from duologue.server.researcher.links import annotator_link, base_of, open_links
from duologue.server.researcher.looks import explained, note_dashboard_look
from duologue.server.researcher.overview import GroupOverview, study_overview
from duologue.server.researcher.reasons import reasons_as_shown
from duologue.server.researcher.sign_in import is_researcher_key
from duologue.server.researcher.tables import download, forms_table
from duologue.server.researcher.transcripts import transcript
from duologue.server.site import Site, site_of
from duologue.store import (
    REHEARSAL,
    AnnotatorSummary,
    ListRows,
    ReasonQuery,
    block_annotator,
    check_codes,
    fetch_fact,
    fetch_revisions,
    fetch_skips,
    form_counts,
    invite_annotators,
    list_annotators,
    list_chats,
    list_codes,
    list_exclusions,
    list_leases,
    list_reasons,
    old_copies,
    release_assignment,
    restore_link,
    revoke_link,
    unblock_annotator,
    withdraw_annotator,
)

T = TypeVar("T")

BY = "researcher (api)"

_bearer = HTTPBearer(auto_error=False, description="The researcher's key that `duologue serve` prints.")


async def check_key(
    request: Request, given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> None:
    """Let only the researcher in.

    Raises:
        SignInNeeded: The key is missing or another. Answers to many wrong keys come later and later.
    """
    if given is None:
        raise SignInNeeded
    site = site_of(request)
    if not is_researcher_key(await run_in_threadpool(site.keys), given.credentials):
        await site.wrong_keys.wait(address_of(request))
        raise SignInNeeded


def _errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: {"model": records.ErrorBody, "description": _MEANING[status]} for status in statuses}


_MEANING = {
    400: "The body cannot be read.",
    401: "The key is missing or wrong.",
    404: "There is no such annotator, assignment, chat, cohort or completion code.",
    413: "The body is too large.",
    422: "A field is not what it should be.",
    503: "The database is locked or the disk is full; nothing was changed.",
}

api = APIRouter(
    prefix="/api",
    dependencies=[Depends(check_key)],
    responses=_errors(400, 401, 413, 422, 503),
    tags=["study"],
)
Served = Annotated[Site, Depends(site_of)]
Rows = Annotated[records.RowsRequest, Query()]
TOTAL = "x-total-count"
"""Says how many rows there are in all, where only some were asked for."""
_TOTAL: dict[int | str, dict[str, Any]] = {
    200: {"headers": {TOTAL: {"description": "Rows in all.", "schema": {"type": "integer"}}}}
}
Key = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


@api.get("/study", operation_id="study")
def study(site: Served) -> records.StudyRecord:
    """The study that is being served."""
    about = site.study.file
    return records.StudyRecord(
        name=site.study.name,
        title=site.study.heading.title,
        protocol=about.study.protocol,
        seed=about.study.seed,
        arms=[records.ArmRecord.model_validate(arm) for arm in site.study.arms],
        stopping=about.stopping.rule,
        revisions=len(site.store.run(fetch_revisions())),
        is_rehearsal=bool(site.store.run(fetch_fact(REHEARSAL))),
    )


@api.get("/progress", operation_id="progress")
def progress(site: Served) -> list[records.GroupRecord]:
    """How far each group of items has come in each arm."""
    found = study_overview(site.study, site.store)
    note_dashboard_look(site, found)
    return [_group_record(group) for group in found.groups]


@api.get("/annotators", operation_id="annotators", responses=_TOTAL)
def annotators(
    request: Request, response: Response, site: Served, rows: Rows
) -> list[records.AnnotatorRecord]:
    """Everybody who was invited or was recruited via the open link."""
    base = base_of(request)
    found = _told(response, site.store.run(list_annotators(rows.wanted())))
    return [_annotator_record(annotator, base) for annotator in found]


@api.post("/annotators", status_code=201, operation_id="invite", responses=_errors(404))
def invite(request: Request, site: Served, wanted: records.InviteRequest) -> list[records.InvitationRecord]:
    """Make links for annotators, one each."""
    base = base_of(request)
    site.study.check_cohort(wanted.cohort)
    return [
        records.InvitationRecord(
            annotator=invitation.annotator,
            label=invitation.label,
            link=annotator_link(base, invitation.token),
        )
        for invitation in site.store.run(
            invite_annotators(wanted.count, labels=wanted.labels, cohort=wanted.cohort)
        )
    ]


@api.post("/annotators/{annotator}/block", status_code=204, operation_id="block", responses=_errors(404))
def block(site: Served, annotator: Key, why: records.ReasonRequest) -> None:
    """Give an annotator no more work. Verdicts keep what they judged unless the plan declares a rule."""
    site.store.run(block_annotator(annotator, reason=why.reason, by=BY))


@api.post("/annotators/{annotator}/unblock", status_code=204, operation_id="unblock", responses=_errors(404))
def unblock(site: Served, annotator: Key, why: records.ReasonRequest) -> None:
    """End a block. The judgments that it excluded count again where nobody else has taken the place."""
    site.store.run(unblock_annotator(annotator, site.caps, reason=why.reason, by=BY))


@api.post("/annotators/{annotator}/revoke", status_code=204, operation_id="revoke", responses=_errors(404))
def revoke(site: Served, annotator: Key) -> None:
    """Make an annotator's link useless. What they judged still counts."""
    site.store.run(revoke_link(annotator))


@api.post(
    "/annotators/{annotator}/unrevoke", status_code=204, operation_id="unrevoke", responses=_errors(404)
)
def unrevoke(site: Served, annotator: Key) -> None:
    """Make a revoked link work again."""
    site.store.run(restore_link(annotator))


@api.post("/annotators/{annotator}/withdraw", operation_id="withdraw", responses=_errors(404))
def withdraw(site: Served, annotator: Key, why: records.ReasonRequest) -> records.ErasedRecord:
    """Erase an annotator's identity and text for good; that there was one stays on record."""
    site.store.run(withdraw_annotator(annotator, reason=why.reason))
    return records.ErasedRecord(old_copies=[copy.name for copy in old_copies(site.study.folder)])


@api.get("/links", operation_id="links")
def links(request: Request, site: Served) -> records.LinksRecord:
    """The open link, when the study allows one."""
    found = open_links(base_of(request), site.study, site.keys())
    everybody = found.pop("", None)
    return records.LinksRecord(open_link=everybody, cohorts=found)


@api.get("/forms", operation_id="forms")
def forms(site: Served) -> list[records.QuestionRecord]:
    """How annotators answered the questions about them, as counts."""
    return [records.QuestionRecord.model_validate(one) for one in form_counts(site.study, site.store)]


@api.get(
    "/forms/answers",
    operation_id="form_answers",
    response_class=Response,
    responses={
        200: {
            "description": "One row for each annotator and form.",
            "content": {"text/csv": {"schema": {"type": "string"}}, "application/jsonl": {}},
        }
    },
)
def form_answers(site: Served, wanted: Annotated[records.DownloadRequest, Query()]) -> Response:
    """All filled-in forms as a table of their own, with the annotators' ids."""
    return forms_table(site.study, site.store, wanted.format)


@api.get("/leases", operation_id="leases", responses=_TOTAL)
def leases(response: Response, site: Served, rows: Rows) -> list[records.LeaseRecord]:
    """Assignments in progress."""
    found = _told(response, site.store.run(list_leases(rows.wanted())))
    return [records.LeaseRecord.model_validate(lease) for lease in found]


@api.post("/leases/{assignment}/release", status_code=204, operation_id="release", responses=_errors(404))
def release(site: Served, assignment: Key) -> None:
    """Take an assignment back from its annotator."""
    site.store.run(release_assignment(assignment, site.caps, by=BY))


@api.get("/chats", operation_id="chats", responses=_TOTAL)
def chats(response: Response, site: Served, rows: Rows) -> list[records.ChatRecord]:
    """Live chats: with whom, how far, how it ended, what failed and what was flagged."""
    found = _told(response, site.store.run(list_chats(rows.wanted())))
    return [records.ChatRecord.model_validate(chat) for chat in found]


@api.get("/chats/{chat}", operation_id="chat", responses=_errors(404))
def chat(site: Served, chat: Key) -> list[records.TurnRecord]:
    """What was said in a live chat that is over."""
    return [
        records.TurnRecord(speaker=turn.speaker, text=turn.text, at=turn.at, seconds=turn.seconds)
        for turn in transcript(site.store, chat).turns
    ]


@api.get("/codes", operation_id="codes", responses=_TOTAL)
def codes(response: Response, site: Served, rows: Rows) -> list[records.CodeRecord]:
    """Completion codes that were shown, and what was done for each."""
    found = _told(response, site.store.run(list_codes(rows.wanted())))
    return [records.CodeRecord.model_validate(code) for code in found]


@api.get("/codes/{code}", operation_id="code", responses=_errors(404))
def code(site: Served, code: Key) -> records.CodeRecord:
    """What is known of a completion code that somebody handed in."""
    (found,) = site.store.run(check_codes([code]))
    if found.state == "unknown":
        raise NotFound("completion code", code)
    return records.CodeRecord.model_validate(found)


@api.get("/flags", operation_id="flags")
def flags(site: Served) -> list[records.FlagSoFarRecord]:
    """What screening flagged, rule by rule."""
    return [
        records.FlagSoFarRecord(
            rule=one.rule, meaning=one.meaning, judgments=one.judgments, excludes=one.excludes
        )
        for one in flagged_so_far(site)
    ]


@api.get("/skips", operation_id="skips")
def skips(site: Served) -> records.SkipsRecord | None:
    """What annotators skipped, by bot and by item; null where they skipped nothing."""
    found = site.store.run(fetch_skips())
    return None if found is None else records.SkipsRecord.model_validate(found)


@api.get("/reasons", operation_id="reasons", responses=_TOTAL)
def reasons(response: Response, site: Served, rows: Rows) -> list[records.GivenReasonRecord]:
    """What annotators gave as reasons, the newest first; who won only where win rates are shown."""
    wanted = ReasonQuery(rows.search)
    found = _told(response, site.store.run(list_reasons(wanted, first=rows.offset, most=rows.limit)))
    overview = study_overview(site.study, site.store)
    shown = reasons_as_shown(site, overview, found)
    if any(row.tells for row in shown):
        note_dashboard_look(site, overview)
    return [
        records.GivenReasonRecord(
            judgment=row.given.judgment,
            annotator=row.given.annotator,
            arm=row.given.arm,
            group=row.given.group,
            reason=row.given.text,
            winner=row.winner,
            is_tie=row.is_tie,
            is_hidden=row.is_hidden,
            excluded=row.given.excluded,
            flags=list(row.flags),
            at=row.given.at,
        )
        for row in shown
    ]


@api.get("/exclusions", operation_id="exclusions", responses=_TOTAL)
def exclusions(response: Response, site: Served, rows: Rows) -> list[records.ExclusionRecord]:
    """Judgments excluded or restored: who, what, why, when."""
    found = _told(response, site.store.run(list_exclusions(rows.wanted())))
    return [
        records.ExclusionRecord.model_validate({**asdict(one.exclusion), **one.said()})
        for one in explained(site, found)
    ]


@api.get(
    "/judgments",
    operation_id="judgments",
    response_class=Response,
    responses={
        200: {
            "description": "One row a judgment, excluded ones too.",
            "content": {"text/csv": {"schema": {"type": "string"}}, "application/jsonl": {}},
        }
    },
)
def judgments(site: Served, wanted: Annotated[records.DownloadRequest, Query()]) -> Response:
    """All judgments as a table."""
    return download(site.study, site.store, wanted.format)


@api.get("/health", operation_id="health")
def health(site: Served) -> records.HealthRecord:
    """Whether judgments can be stored, and durably."""
    found = site.store.healthy()
    return records.HealthRecord(
        is_healthy=found.is_healthy,
        engine=found.engine,
        schema_number=found.schema,
        queued=found.queued,
        problem=found.problem,
    )


def _told(response: Response, listed: ListRows[T]) -> tuple[T, ...]:
    """The rows; how many there are in all goes to the header."""
    response.headers[TOTAL] = str(listed.total)
    return listed.rows


def _group_record(group: GroupOverview) -> records.GroupRecord:
    return records.GroupRecord(
        arm=group.progress.arm,
        group=group.progress.group,
        wanted=group.progress.wanted,
        done=group.progress.done,
        excluded=group.progress.excluded,
        leased=group.progress.leased,
        is_complete=group.is_complete,
        wins=[records.WinsRecord.model_validate(wins) for wins in group.wins],
        ties=group.ties,
        hidden=group.hidden,
        anytime=group.anytime,
        anytime_of=group.interval.of,
        why_no_anytime=group.interval.why_none,
        cohorts=[records.CohortRecord.model_validate(one) for one in group.progress.cohorts],
        second_wanted=group.progress.second_wanted,
        second_done=group.progress.second_done,
    )


def _annotator_record(annotator: AnnotatorSummary, base: str) -> records.AnnotatorRecord:
    facts = {
        name: getattr(annotator, name) for name in records.AnnotatorRecord.model_fields if name != "link"
    }
    return records.AnnotatorRecord(
        **facts, link="" if annotator.is_withdrawn else annotator_link(base, annotator.token)
    )
