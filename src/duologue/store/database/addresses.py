"""Addresses of databases: which are understood, and which schema of PostgreSQL they name."""

from __future__ import annotations

import re

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from duologue.errors import StoreError

_SCHEMA_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")


def parsed_address(address: str) -> URL:
    """An address in its parts.

    Raises:
        StoreError: It is not the address of a database that a study can be kept in.
    """
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise StoreError(f"{address!r} is not the address of a database.") from error
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(
            f"{url.render_as_string()}: a study is kept in an SQLite file or in PostgreSQL (postgresql://…)."
        )
    return url


def schema_of(url: URL) -> str:
    """The schema of a PostgreSQL database that holds the study.

    Raises:
        StoreError: It cannot be the name of one.
    """
    name = url.query.get("study", "duologue")
    if not isinstance(name, str) or not _SCHEMA_NAME.fullmatch(name):
        raise StoreError(
            f"{url.render_as_string()}: ?study= names the schema that holds the study: small letters, digits "
            "and underscores, at most 63, not starting with a digit."
        )
    return name
