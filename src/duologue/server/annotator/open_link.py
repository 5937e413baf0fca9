"""The open link: everybody who comes by it becomes an annotator, one per browser."""

from __future__ import annotations

import hmac

from itsdangerous import BadSignature, URLSafeSerializer
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
    if not _is_open_token(keys, request.path_params["token"]):
        raise LinkUnknown
    name = cookie_name(site, "open")
    token = _remembered(site, request.cookies.get(name, ""))
    if request.method == "HEAD":  # somebody looks whether the link is good; nobody comes in
        return Response(status_code=204)
    if token is None:
        address = address_of(request)
        site.open_link_visits.check(address)
        no_place = await site.store.run_async(find_no_place(site.caps))
        if no_place is not None:  # nobody becomes an annotator who could do nothing
            return HTMLResponse(site.pages.annotator(no_work_main(site, no_place, request.url.path)))
        site.open_link_visits.count(address)
        token = (await site.store.run_async(invite_annotators(kind="open")))[0].token
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


def _is_open_token(keys: Keys, token: str) -> bool:
    return hmac.compare_digest(token.encode("utf-8", "surrogatepass"), keys.open_link.encode())


def _remembered(site: Site, cookie: str) -> str | None:
    try:
        return str(_cookies(site).loads(cookie))
    except BadSignature:
        return None


def _cookies(site: Site) -> URLSafeSerializer:
    return URLSafeSerializer(site.cookie_key, salt="open")
