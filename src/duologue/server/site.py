"""A study as it is served: everything a request needs, made once."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

from starlette.requests import Request

from duologue.server.annotator.changes import ChatChanges
from duologue.server.annotator.flags import ChatScreening
from duologue.server.annotator.recent_assignments import RecentAssignments
from duologue.server.annotator.replies import ReplyService
from duologue.server.limits import MessageRate, RateLimit, SlowDown
from duologue.server.pages import Pages
from duologue.server.running.logs import ServerLog
from duologue.server.static_files import StaticFiles
from duologue.store import Store, ensure_secret, fetch_secrets, renew_secret
from duologue.studies import Study, StudyRules


@dataclass(frozen=True, slots=True)
class Keys:
    """The study's secrets, kept with the study so that a restart signs nobody out."""

    researcher: str
    cookies: str
    open_link: str
    sessions: str
    """Part of every cookie of the researcher: another one ends them all, in every process."""

    @classmethod
    def of(cls, store: Store) -> Keys:
        """The secrets of a study as they are now, made on first use."""
        found = store.run(fetch_secrets())
        return cls(*(found.get(name) or store.run(ensure_secret(name)) for name in SECRETS))


SECRETS = ("researcher", "cookies", "open-link", "sessions")
"""The names of the secrets, in the order of `Keys`."""


def change_key(store: Store, name: Literal["researcher", "open-link"]) -> None:
    """Give the study another researcher's key, or another open link; every process applies it at once.

    With the researcher's key every sign-in ends. Who used the old open link can go on; nobody new can use
    it.
    """
    store.run(renew_secret(name))
    if name == "researcher":
        store.run(renew_secret("sessions"))


@dataclass(frozen=True, slots=True)
class Site:
    """A study, its store, its pages and its keys."""

    study: Study
    worded: Study
    """The study in the words that annotators read, which follow what is in the store."""
    caps: StudyRules
    store: Store
    pages: Pages
    static: StaticFiles
    cookie_key: str
    """What cookies are signed with; it never changes."""
    recent_assignments: RecentAssignments
    log: ServerLog | None
    base_url: str | None
    """Where annotators find the server, when it is not the address of the request."""
    submission_keys: Random
    """Where the idempotency keys of forms come from: unlike, not secret, and without asking the system."""
    wrong_keys: SlowDown
    open_link_visits: RateLimit
    message_rate: MessageRate
    changes: ChatChanges
    """Who follows which live chat."""
    replies: ReplyService
    """Who asks the bots."""
    screening: ChatScreening
    live_bots: tuple[str, ...]
    """With whom annotators chat live; empty when they do not."""

    def keys(self) -> Keys:
        """The study's secrets as they are now: a command may have changed them."""
        return Keys.of(self.store)


def site_of(request: Request) -> Site:
    """The site a request came to."""
    site = request.app.state.site
    assert isinstance(site, Site)  # noqa: S101  `create_app` put it there
    return site
