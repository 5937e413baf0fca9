"""CSRF: every form of the researcher's pages carries a token that no other site can know."""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from itsdangerous import URLSafeSerializer

from duologue.errors import FormExpired
from duologue.server.site import Site

FIELD = "csrf_token"


def csrf_token(site: Site, sitting: str) -> str:
    """The token of a sitting: of one sign-in of the researcher."""
    return URLSafeSerializer(site.cookie_key, salt="form").dumps(sitting)


def check_csrf(site: Site, sitting: str, form: Mapping[str, str]) -> None:
    """Refuse a form that does not carry this sitting's token.

    Raises:
        FormExpired: The token is missing or another sitting's.
    """
    if not hmac.compare_digest(form.get(FIELD, "").encode(), csrf_token(site, sitting).encode()):
        raise FormExpired
