"""Every refusal and failure, as an HTML page or as JSON: the one place where errors become answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from duologue.errors import (
    AnswerError,
    ChatError,
    DuologueError,
    FormExpired,
    LinkRevoked,
    LinkUnknown,
    NotFound,
    SignInNeeded,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreGone,
    TooManyTries,
)
from duologue.expected import refusal
from duologue.server.site import Site, site_of
from duologue.studies import WordingTable

PART_HEADER = "duologue-part"
"""Sent by our script when it wants only the ``<main>`` of the next page, and errors as JSON."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong, in the shape every route answers with."""

    status: int
    code: str
    message: str
    field: str | None = None
    wait_seconds: int | None = None

    def as_json(self) -> dict[str, dict[str, str]]:
        """The JSON body: ``{"error": {"code", "message", "field"?}}``."""
        facts = {"code": self.code, "message": self.message}
        return {"error": facts | ({"field": self.field} if self.field is not None else {})}


_KINDS: tuple[tuple[type[DuologueError], int, str], ...] = (
    (LinkUnknown, 404, "link-unknown"),
    (LinkRevoked, 410, "link-revoked"),
    (SignInNeeded, 401, "sign-in-needed"),
    (FormExpired, 403, "form-expired"),
    (TooManyTries, 429, "too-many-tries"),
    (AnswerError, 422, "answer"),
    (ChatError, 409, "chat"),
    (NotFound, 404, "not-found"),
    (StoreBusy, 503, "store-busy"),
    (StoreFull, 503, "store-full"),
    (StoreGone, 503, "store-gone"),
    (StoreError, 503, "store"),
    (DuologueError, 400, "refused"),
)


_PLAIN = {
    "not-found": "There is no such page here. Please check the address.",
    "method-not-allowed": "This address cannot be used so. Please go back and try again from the page.",
}
"""What is said where nothing but the name of a status is known."""


def failure_of(error: Exception) -> Failure:
    """What an error means to the one who asked; anything unforeseen is a plain 500 without detail."""
    if isinstance(error, RequestValidationError):
        return _failure_of_validation(error)
    if isinstance(error, HTTPException):
        code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
        is_bare = error.detail == HTTPStatus(error.status_code).phrase
        return Failure(error.status_code, code, _PLAIN.get(code, error.detail) if is_bare else error.detail)
    for kind, status, code in _KINDS:
        if isinstance(error, kind):
            field = error.field if isinstance(error, AnswerError) else None
            wait = error.wait_seconds if isinstance(error, TooManyTries) else None
            return Failure(status, code, str(error), field, wait)
    return Failure(500, "internal", "Something went wrong on our side. It has been logged.")


def _failure_of_validation(error: RequestValidationError) -> Failure:
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return Failure(422, "invalid", refusal(first), field)


async def refuse(request: Request, error: Exception) -> Response:
    """Answer a request that failed; registered for every kind of error, on every route."""
    site = site_of(request)
    failure = _for_whom_it_is(request, site, failure_of(error))
    if isinstance(error, StoreError) and failure.status >= 500 and site.log is not None:
        site.log.note("store", error=type(error).__name__)
    if wants_json(request):
        response: Response = JSONResponse(failure.as_json(), failure.status)
    elif failure.code == "sign-in-needed":
        return RedirectResponse("/researcher/sign-in", 303)
    else:
        response = HTMLResponse(_page(request, site, failure), failure.status)
    if failure.status == 401:
        response.headers["www-authenticate"] = "Bearer"
    if failure.wait_seconds is not None:
        response.headers["retry-after"] = str(failure.wait_seconds)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def _for_whom_it_is(request: Request, site: Site, failure: Failure) -> Failure:
    """Annotators need not know where the database is, and are told things in the study's words.

    So is whoever mistyped an address: it is most likely the one in an invitation.
    """
    if request.url.path.startswith(_RESEARCHERS) or failure.code == "answer":
        return failure
    return replace(failure, message=_in_the_studys_words(site.study.file.wording, request, failure))


_ANNOTATORS = ("/a/", "/open/")
_RESEARCHERS = ("/researcher", "/api", "/healthz")


def _in_the_studys_words(wording: WordingTable, request: Request, failure: Failure) -> str:
    if failure.status >= 500:
        return wording.unavailable if request.method == "GET" else wording.not_saved
    if failure.status == 429:
        return wording.too_many.replace("{seconds}", str(failure.wait_seconds or 1))
    if _is_link(request, failure):
        return wording.link_revoked if failure.code == "link-revoked" else wording.link_unknown
    named = {"not-found": wording.not_there, "chat": wording.out_of_date}
    by_status = {404: wording.not_there, 409: wording.out_of_date, 413: wording.too_large}
    return named.get(failure.code) or by_status.get(failure.status, wording.not_readable)


def _is_link(request: Request, failure: Failure) -> bool:
    """Whether it is the link that does not work; an address that is nobody's is most likely one too."""
    is_astray = failure.status == 404 and not request.url.path.startswith(_ANNOTATORS)
    return is_astray or failure.code in ("link-unknown", "link-revoked")


def wants_json(request: Request) -> bool:
    """Whether the one who asks is a program: under ``/api``, or our own script."""
    return request.url.path.startswith("/api") or PART_HEADER in request.headers


def _page(request: Request, site: Site, failure: Failure) -> str:
    if request.url.path.startswith("/researcher"):
        return site.pages.researcher("researcher_error.html", failure=failure)
    typed: dict[str, str] = getattr(request.state, "typed", {}) if failure.status >= 500 else {}
    path = request.url.path
    again = path if typed or request.method == "GET" else path.rpartition("/")[0]
    is_link = _is_link(request, failure)
    own = "/".join(path.split("/")[:3]) if path.startswith(_ANNOTATORS) and not is_link else ""
    return site.pages.annotator(
        site.pages.main("error.html", failure=failure, typed=typed, again=again, own=own, is_link=is_link)
    )
