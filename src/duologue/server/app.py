"""The application: annotators' pages, researcher's pages, API."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from random import Random

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from duologue.errors import DuologueError
from duologue.server import annotator, open_link, researcher, sign_in
from duologue.server.api import api
from duologue.server.failures import refuse
from duologue.server.gate import Gate
from duologue.server.handed_out import HandedOut
from duologue.server.limits import RateLimit
from duologue.server.logs import ServerLog
from duologue.server.pages import Pages
from duologue.server.site import Keys, Site, site_of
from duologue.server.static_files import StaticFiles
from duologue.store import Store
from duologue.studies import Study


def create_app(
    study: Study,
    store: Store,
    *,
    base_url: str | None = None,
    log: ServerLog | None = None,
    closes_store: bool = False,
) -> FastAPI:
    """The application that serves one study.

    Args:
        study: What is asked, and in which words.
        store: Where the study's dialogues and items are already loaded.
        base_url: Where annotators find the server, when it stands behind another.
        log: Where requests are written down; nowhere when None.
        closes_store: Whether the store (and the log) are closed when the server stops.
    """
    static = StaticFiles()
    site = Site(
        study=study,
        caps=study.caps,
        store=store,
        pages=Pages(study, static),
        static=static,
        keys=Keys.of(store),
        handed_out=HandedOut(store),
        log=log,
        base_url=base_url,
        submission_keys=Random(secrets.randbits(128)),
        sign_in_tries=RateLimit(tries=10, seconds=60),
        open_link_visits=RateLimit(tries=120, seconds=60),
    )
    app = FastAPI(
        title=f"Duologue: {study.name}",
        summary="Everything the researcher's pages show and do, for programs.",
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_closing(site) if closes_store else None,
    )
    app.state.site = site
    pages = [
        *annotator.routes,
        Route("/static/{version}/{path:path}", static.respond, methods=["GET"]),
        *open_link.routes,
        *sign_in.routes,
        *researcher.routes,
        Route("/healthz", healthz, methods=["GET"]),
        Route("/", welcome, methods=["GET"]),
    ]
    app.router.routes[:0] = pages
    app.include_router(api)
    for kind in (DuologueError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, refuse)
    app.add_middleware(Gate, log=log, pages=pages)
    return app


def healthz(request: Request) -> Response:
    """Say whether judgments can be stored: 200 when they can, 503 when not."""
    is_healthy = site_of(request).store.healthy().is_healthy
    return JSONResponse({"status": "ok" if is_healthy else "unhealthy"}, 200 if is_healthy else 503)


async def welcome(request: Request) -> Response:
    """Tell somebody without a link that they need one."""
    return HTMLResponse(site_of(request).pages.researcher("welcome.html"))


def _closing(site: Site) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        site.store.close()
        if site.log is not None:
            site.log.close()

    return lifespan
