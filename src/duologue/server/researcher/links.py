"""Addresses to hand out."""

from __future__ import annotations

from starlette.requests import Request

from duologue.server.annotator.open_link import cohort_token
from duologue.server.annotator.stations import annotator_path
from duologue.server.site import Keys, site_of
from duologue.store import Store, fetch_fact
from duologue.studies import Study

BASE_URL_FACT = "base-url"
"""Under which the store remembers where the study was last served, for commands that print links."""


def base_of(request: Request) -> str:
    """Where annotators find this server: what `serve --base-url` said, or the address asked for."""
    site = site_of(request)
    return (site.base_url or str(request.base_url)).rstrip("/")


def annotator_link(base: str, token: str) -> str:
    """The link of one annotator.

    Example:
        >>> annotator_link("http://127.0.0.1:8000", "abc")
        'http://127.0.0.1:8000/a/abc'
    """
    return base.rstrip("/") + annotator_path(token)


def open_links(base: str, study: Study, keys: Keys) -> dict[str, str]:
    """The open links by cohort; ``""`` is the one for everybody. Nobody can make one of another."""
    if not study.file.annotators.open_link:
        return {}
    root = f"{base.rstrip('/')}/open"
    return {cohort: f"{root}/{cohort_token(keys, cohort)}" for cohort in study.link_cohorts}


def study_keys(study: Study, store: Store, *, base_url: str | None = None) -> dict[str, str | None]:
    """What lets people in: the researcher's key and link, and the open link if the study has one.

    Args:
        study: The study.
        store: Its database.
        base_url: Where it is served; where it last was, when not given.
    """
    base = base_url or store.run(fetch_fact(BASE_URL_FACT)) or "http://127.0.0.1:8000"
    keys = Keys.of(store)
    found = open_links(base, study, keys)
    return {
        "researcher_key": keys.researcher,
        "researcher_link": researcher_link(base, keys.researcher),
        "open_link": found.get(""),
        **{f"open_link_{cohort}": link for cohort, link in found.items() if cohort},
    }


def researcher_link(base: str, key: str) -> str:
    """The researcher's link. The key stands behind ``#``, so no browser sends it and no log holds it.

    Example:
        >>> researcher_link("http://127.0.0.1:8000", "k")
        'http://127.0.0.1:8000/researcher/sign-in#key=k'
    """
    return f"{base.rstrip('/')}/researcher/sign-in#key={key}"
