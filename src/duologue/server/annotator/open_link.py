"""The open link: everybody who comes by it becomes an annotator, one per browser."""

from __future__ import annotations

import hashlib
import hmac

from itsdangerous import BadSignature, Signer, URLSafeSerializer
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from duologue.errors import LinkUnknown
from duologue.server.annotator.stations import annotator_path, no_work_main
from duologue.server.limits import address_of
from duologue.server.researcher.sign_in import cookie_name, is_secure
from duologue.server.site import Keys, Site, site_of
from duologue.store import find_no_place, invite_annotators

MAX_AGE_SECONDS = 365 * 24 * 3600


async def come_in(request: Request) -> Response:
    """Send a browser to its own annotator's pages, making an annotator on the first visit."""
    site = site_of(request)
    is_open = site.study.file.annotators.open_link
    if not is_open:
        raise LinkUnknown
    keys = await run_in_threadpool(site.keys)
    cohort = cohort_in(keys, request.path_params["token"])
    if cohort not in site.study.link_cohorts:
        raise LinkUnknown
    name = cookie_name(site, "open")
    token = _remembered(site, request.cookies.get(name, ""))
    if request.method == "HEAD":  # somebody looks whether the link is good; nobody comes in
        return Response(status_code=204)
    if token is None:
        address = address_of(request)
        site.open_link_visits.check(address)
        no_place = await site.store.run_async(find_no_place(site.caps, cohort))
        if no_place is not None:  # nobody becomes an annotator who could do nothing
            return HTMLResponse(site.pages.annotator(no_work_main(site, no_place, request.url.path)))
        site.open_link_visits.count(address)
        token = (await site.store.run_async(invite_annotators(kind="open", cohort=cohort)))[0].token
    response = RedirectResponse(annotator_path(token), 303)
    response.set_cookie(
        name,
        _cookies(site).dumps(token),
        max_age=MAX_AGE_SECONDS,
        path="/open",
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )
    return response


routes = [Route("/open/{token}", come_in, methods=["GET"])]


def cohort_token(keys: Keys, cohort: str) -> str:
    """The token of the open link of a cohort: signed, so that no visitor makes that of another."""
    return _signer(keys).sign(cohort).decode() if cohort else keys.open_link


def cohort_in(keys: Keys, token: str) -> str:
    """The cohort of an open link; empty for the link for everybody.

    Raises:
        LinkUnknown: It is no open link of this study.

    Example:
        >>> keys = Keys("r", "c", "secret", "s")
        >>> cohort_in(keys, cohort_token(keys, "expert")), cohort_in(keys, "secret")
        ('expert', '')
    """
    given = token.encode("utf-8", "surrogatepass")
    if hmac.compare_digest(given, keys.open_link.encode()):
        return ""
    try:
        return _signer(keys).unsign(given).decode()
    except (BadSignature, UnicodeDecodeError):
        raise LinkUnknown from None


def _signer(keys: Keys) -> Signer:
    return Signer(keys.open_link, salt="cohort", digest_method=hashlib.sha256)


def _remembered(site: Site, cookie: str) -> str | None:
    try:
        return str(_cookies(site).loads(cookie))
    except BadSignature:
        return None


def _cookies(site: Site) -> URLSafeSerializer:
    return URLSafeSerializer(site.cookie_key, salt="open")
