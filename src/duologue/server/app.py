"""The application: annotators' pages, researcher's pages, API."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from random import Random

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from duologue.errors import DuologueError
from duologue.protocols import HUMAN
from duologue.server.annotator import chat, form_pages, open_link
from duologue.server.annotator import pages as annotator
from duologue.server.annotator.changes import ChatChanges
from duologue.server.annotator.flags import ChatScreening
from duologue.server.annotator.recent_assignments import RecentAssignments
from duologue.server.annotator.replies import ReplyService, open_chat_bots
from duologue.server.failures import refuse
from duologue.server.limits import MessageRate, RateLimit, SlowDown
from duologue.server.middleware import RequestMiddleware
from duologue.server.pages import Pages
from duologue.server.researcher import pages as researcher
from duologue.server.researcher import sign_in
from duologue.server.researcher.api import api
from duologue.server.running.logs import ServerLog
from duologue.server.running.preparing import Watch, live_bots, meets_programs, unwatched
from duologue.server.site import Keys, Site, site_of
from duologue.server.static_files import StaticFiles
from duologue.store import (
    REHEARSAL,
    Store,
    end_stale_chats,
    fetch_fact,
    fetch_frozen_plan,
    keep_plan_file,
    screen_annotators,
)
from duologue.studies import Study, in_served_words

MESSAGES_A_MINUTE = 120
"""Of one annotator: far more than anybody types, and enough for rehearsals."""
COMPANION_REST_SECONDS = 5.0
"""Before something that failed beside the pages is begun again."""
PLAN_SECONDS = 2.0
"""How often it is looked whether the plan is frozen, until it is."""
ABSENT_SECONDS = 10.0
"""How often the leases that have run out are looked for."""
STALE_SECONDS = 5.0
"""How often chats are looked for whose partner never came, or left."""

SideTask = Callable[[Site], Coroutine[object, object, None]]
"""Something that runs beside the pages while they are served."""


def create_app(
    study: Study,
    store: Store,
    *,
    base_url: str | None = None,
    log: ServerLog | None = None,
    closes_store: bool = False,
    side_tasks: Sequence[SideTask] = (),
    watch: Watch = unwatched,
) -> FastAPI:
    """The application that serves one study.

    Args:
        study: What is asked, and in which words.
        store: Where the study's dialogues and items are already loaded.
        base_url: Where annotators find the server, when it stands behind another.
        log: Where requests are written down; nowhere when None.
        closes_store: Whether the store (and the log) are closed when the server stops.
        side_tasks: What runs beside the pages, started and stopped with the server.
        watch: Watches bots being opened.

    Raises:
        BotError: A bot that annotators chat with cannot be opened.
        InputError: A file that the bots or the screening need cannot be read.
        MissingExtra: A package that a bot needs is not installed.
    """
    site = _open_site(study, store, base_url=base_url, log=log, watch=watch)
    tasks = [*_own_tasks(site.live_bots), *side_tasks]
    app = FastAPI(
        title=f"Duologue: {study.heading.title}",
        summary="Everything the researcher's pages show and do, for programs.",
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(site, tasks, closes_store=closes_store),
    )
    app.state.site = site
    pages = _page_routes(site.static)
    app.router.routes[:0] = pages
    app.router.routes += api.routes  # ready as they are: including them would build each anew
    for kind in (DuologueError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, refuse)
    app.add_middleware(RequestMiddleware, log=log, pages=pages)
    return app


def _open_site(
    study: Study, store: Store, *, base_url: str | None, log: ServerLog | None, watch: Watch
) -> Site:
    """What all pages share, with the bots that annotators chat with opened."""
    static = StaticFiles(study.protocol.static_files())
    bots = live_bots(store)
    changes = ChatChanges(store)
    worded = in_served_words(study, has_programs=meets_programs(store))
    return Site(
        study=study,
        worded=worded,
        caps=replace(study.caps, is_rehearsed=store.run(fetch_fact(REHEARSAL)) is not None),
        store=store,
        pages=Pages(worded, static),
        static=static,
        cookie_key=Keys.of(store).cookies,
        recent_assignments=RecentAssignments(store, study.protocol),
        log=log,
        base_url=base_url,
        submission_keys=Random(secrets.randbits(128)),
        wrong_keys=SlowDown(),
        open_link_visits=RateLimit(tries=120, seconds=60),
        message_rate=MessageRate(messages=MESSAGES_A_MINUTE),
        changes=changes,
        replies=ReplyService(
            open_chat_bots(study, bots, watch=watch), store, changes, settings=study.file.chat, log=log
        ),
        screening=ChatScreening(study),
        live_bots=tuple(bots),
    )


def _own_tasks(bots: Collection[str]) -> list[SideTask]:
    """What runs beside the pages of any study, and of one with live chats."""
    tasks: list[SideTask] = [_plan_file, _absent]
    if bots:
        tasks.append(_chats)
    if HUMAN in bots:
        tasks.append(_stale_chats)
    return tasks


def _page_routes(static: StaticFiles) -> list[Route]:
    """Every address but those of the API."""
    return [
        *annotator.routes,
        *chat.routes,
        *form_pages.routes,
        Route("/static/{version}/{path:path}", static.respond, methods=["GET"]),
        *open_link.routes,
        *sign_in.routes,
        *researcher.routes,
        Route("/healthz", healthz, methods=["GET"]),
        Route("/", welcome, methods=["GET"]),
    ]


def healthz(request: Request) -> Response:
    """Say whether judgments can be stored: 200 when they can, 503 when not."""
    is_healthy = site_of(request).store.healthy().is_healthy
    return JSONResponse({"status": "ok" if is_healthy else "unhealthy"}, 200 if is_healthy else 503)


async def welcome(request: Request) -> Response:
    """Tell somebody without a link that they need one."""
    return HTMLResponse(site_of(request).pages.researcher("welcome.html"))


def _lifespan(
    site: Site, side_tasks: Sequence[SideTask], *, closes_store: bool
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(_watched(site, side_task)) for side_task in side_tasks]
        yield
        site.changes.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if closes_store:
            site.store.close()
            if site.log is not None:
                site.log.close()

    return lifespan


async def _watched(site: Site, side_task: SideTask) -> None:
    """Run a side task; should it fail, that is written down and it is begun again."""
    while True:
        try:
            return await side_task(site)
        except Exception as error:
            if site.log is not None:
                site.log.failure(error)
            await asyncio.sleep(COMPANION_REST_SECONDS)


async def _plan_file(site: Site) -> None:
    """Write plan.json as soon as the first judgment, in whatever process, has frozen the plan."""
    if await site.store.run_async(fetch_fact(REHEARSAL)) is not None:
        return
    while await site.store.run_async(fetch_frozen_plan()) is None:
        await asyncio.sleep(PLAN_SECONDS)
    await asyncio.to_thread(keep_plan_file, site.study, site.store)


async def _absent(site: Site) -> None:
    """Take back the work of those who have left, and screen what they have judged."""
    while True:
        await site.store.run_async(screen_annotators(site.caps))
        await asyncio.sleep(ABSENT_SECONDS)


async def _chats(site: Site) -> None:
    """Ask bots for replies, and tell pages of them."""
    async with asyncio.TaskGroup() as group:
        group.create_task(site.changes.run())
        group.create_task(site.replies.run())


async def _stale_chats(site: Site) -> None:
    """End the chats of those whose partner never came, or left."""
    while True:
        await site.store.run_async(end_stale_chats())
        site.changes.wake()
        await asyncio.sleep(STALE_SECONDS)
