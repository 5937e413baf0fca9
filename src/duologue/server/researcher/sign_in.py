"""The researcher's sign-in: the key that `serve` prints, and a signed cookie."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping

from itsdangerous import BadSignature, URLSafeTimedSerializer
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from duologue.errors import SignInNeeded
from duologue.server.annotator.forms import read_form
from duologue.server.limits import address_of
from duologue.server.researcher.csrf import check_csrf
from duologue.server.site import Keys, Site, site_of
from duologue.store import renew_secret

MAX_AGE_SECONDS = 30 * 24 * 3600


async def show_sign_in(request: Request) -> Response:
    """Show the form that asks for the key."""
    return HTMLResponse(site_of(request).pages.researcher("sign_in.html", problem=""))


async def sign_in(request: Request) -> Response:
    """Check the key and remember the browser for a month."""
    site = site_of(request)
    form = await read_form(request)
    keys = await run_in_threadpool(site.keys)
    given = form.get("key", "").strip().rpartition("#key=")[2]  # of a whole link, what it holds
    if not is_researcher_key(keys, given):
        await site.wrong_keys.wait(address_of(request))
        page = site.pages.researcher("sign_in.html", problem="This is not the key or the link of this study.")
        return HTMLResponse(page, 401)
    response = RedirectResponse("/researcher", 303)
    response.set_cookie(
        cookie_name(site, "researcher"),
        _cookies(site).dumps([secrets.token_urlsafe(12), _generation(keys)]),
        max_age=MAX_AGE_SECONDS,
        path="/researcher",
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )
    return response


async def sign_out(request: Request) -> Response:
    """End every sign-in of the researcher, in every browser and every process: a copied cookie ends too."""
    site = site_of(request)
    form = await read_form(request)
    await run_in_threadpool(check_form, request, form)
    await site.store.run_async(renew_secret("sessions"))
    response = RedirectResponse("/researcher/sign-in", 303)
    response.delete_cookie(cookie_name(site, "researcher"), path="/researcher")
    return response


routes = [
    Route("/researcher/sign-in", show_sign_in, methods=["GET"]),
    Route("/researcher/sign-in", sign_in, methods=["POST"]),
    Route("/researcher/sign-out", sign_out, methods=["POST"]),
]


def is_researcher_key(keys: Keys, key: str) -> bool:
    """Whether this is the researcher's key, compared in constant time."""
    return hmac.compare_digest(key.encode(), keys.researcher.encode())


def check_signed_in(request: Request) -> str:
    """The sitting of the signed-in researcher.

    Raises:
        SignInNeeded: Nobody is signed in, or too long ago, or somebody has signed out since.
    """
    site = site_of(request)
    try:
        sitting, generation = _cookies(site).loads(
            request.cookies.get(cookie_name(site, "researcher"), ""), max_age=MAX_AGE_SECONDS
        )
    except (BadSignature, ValueError):
        raise SignInNeeded from None
    if not hmac.compare_digest(str(generation).encode(), _generation(site.keys()).encode()):
        raise SignInNeeded
    return str(sitting)


def _generation(keys: Keys) -> str:
    """What cookies say of the sign-ins they belong to, without giving the secret away."""
    return hashlib.sha256(keys.sessions.encode()).hexdigest()[:16]


def check_form(request: Request, form: Mapping[str, str]) -> None:
    """Refuse a form that the signed-in researcher did not send from our pages.

    Raises:
        SignInNeeded: Nobody is signed in.
        FormExpired: Its CSRF token is missing or another sitting's.
    """
    check_csrf(site_of(request), check_signed_in(request), form)


def cookie_name(site: Site, role: str) -> str:
    """A cookie's name, different for each study: cookies do not know ports."""
    return f"duologue-{role}-{hashlib.sha256(site.cookie_key.encode()).hexdigest()[:8]}"


def is_secure(request: Request) -> bool:
    """Whether browsers reach us by https, directly or through a proxy."""
    base_url = site_of(request).base_url
    return request.url.scheme == "https" or bool(base_url and base_url.startswith("https:"))


def _cookies(site: Site) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(site.cookie_key, salt="researcher")
