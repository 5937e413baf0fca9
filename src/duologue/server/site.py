"""A study as it is served: everything a request needs, made once."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from starlette.requests import Request

from duologue.server.changes import ChatChanges
from duologue.server.flags import ChatScreening
from duologue.server.handed_out import HandedOut
from duologue.server.limits import MessageRate, RateLimit
from duologue.server.logs import ServerLog
from duologue.server.pages import Pages
from duologue.server.replies import ReplyService
from duologue.server.static_files import StaticFiles
from duologue.store import Store
from duologue.studies import Caps, Study


@dataclass(frozen=True, slots=True)
class Keys:
    """The study's secrets, kept with the study so that a restart signs nobody out."""

    researcher: str
    cookies: str
    open_link: str

    @classmethod
    def of(cls, store: Store) -> Keys:
        """The secrets of a study, made on first use."""
        return cls(store.secret("researcher"), store.secret("cookies"), store.secret("open-link"))


@dataclass(frozen=True, slots=True)
class Site:
    """A study, its store, its pages and its keys."""

    study: Study
    caps: Caps
    store: Store
    pages: Pages
    static: StaticFiles
    keys: Keys
    handed_out: HandedOut
    log: ServerLog | None
    base_url: str | None
    """Where annotators find the server, when it is not the address of the request."""
    submission_keys: Random
    """Where the idempotency keys of forms come from: unlike, not secret, and without asking the system."""
    sign_in_tries: RateLimit
    open_link_visits: RateLimit
    message_rate: MessageRate
    changes: ChatChanges
    """Who follows which live chat."""
    replies: ReplyService
    """Who asks the bots."""
    screening: ChatScreening


def site_of(request: Request) -> Site:
    """The site a request came to."""
    site = request.app.state.site
    assert isinstance(site, Site)  # noqa: S101  `create_app` put it there
    return site
