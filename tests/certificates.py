"""Certificates of authorities read once: a test's client would read them anew, though it asks by http."""

from functools import cache

import httpcore2


def keep_certificates() -> None:
    """Let clients of this process, and of those forked off it, use the same ones: each read takes 0.1 s."""
    read = cache(httpcore2.default_ssl_context)
    for trusts_variables in (True, False):
        read(_trust_env=trusts_variables)
    setattr(httpcore2, "default_ssl_context", read)  # noqa: B010  mypy refuses to have a function assigned
