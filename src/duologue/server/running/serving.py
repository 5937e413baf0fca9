"""Running the server: its socket, its processes, its start and its end."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import multiprocessing
import os
import re
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from duologue.errors import CannotListen, StoreGone
from duologue.server.app import SideTask, create_app
from duologue.server.researcher.links import BASE_URL_FACT, annotator_link, open_links, researcher_link
from duologue.server.running.checking import check_chat_parts
from duologue.server.running.logs import ServerLog, UvicornNotes
from duologue.server.running.patience import PatientProtocol, raise_descriptor_limit, taken_at_once
from duologue.server.running.preparing import PreparedStudy, Watch, prepare_study, unwatched
from duologue.server.site import Keys, Site
from duologue.store import (
    Store,
    check_place,
    ensure_secret,
    fetch_annotators,
    fetch_fact,
    invite_annotators,
    look_at,
    note_fact,
    open_store,
    open_study,
    serving,
)
from duologue.studies import Study

FIRST_PORT = 8000
HEALTHCHECK_SECONDS = 60
"""How long a process may be silent before it is replaced: on a busy machine, starting one takes a while."""
PORTS_TRIED = 100
OTHER_SECONDS = 2.0
"""How long another server of the study may take to be reached, when this one ends."""


@dataclass(frozen=True, slots=True)
class ServedStudy:
    """A study that is served: what its researcher needs to know."""

    base_url: str
    annotator_links: Mapping[str, str]
    """The cohort of each; ``""`` is none."""
    open_links: Mapping[str, str]
    """By cohort; ``""`` is the link for everybody."""
    researcher_link: str
    researcher_key: str
    prepared: PreparedStudy
    database: str
    log: Path | None
    other_server: str | None = None
    """Where another server of this study is, or last was, where there is one."""


def serve_study(
    study: Study,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    workers: int = 1,
    base_url: str | None = None,
    log: Path | None = None,
    announce: Callable[[ServedStudy], None] = lambda serving: None,
    watch: Watch = unwatched,
    side_tasks: Sequence[SideTask] = (),
    new_database: bool = False,
) -> None:
    """Serve a study until the process is told to stop (SIGINT or SIGTERM), finishing running requests.

    Args:
        study: The study.
        host: The address to listen on.
        port: The port; None takes the first free one from 8000 on.
        workers: How many processes share the socket. All state is in the database.
        base_url: Where annotators find the server, when it stands behind another.
        log: The file for the log; None writes it to the standard error stream.
        announce: Told the links once annotators may come, and being told to stop is heard.
        watch: Watches dialogues and items being loaded, and bots being opened.
        side_tasks: What runs beside the pages, in every process.
        new_database: Begin with the database that study.toml names, although the study's links and
            judgments are in another one.

    Raises:
        BotError: A bot that annotators chat with cannot be opened.
        CannotListen: The address is taken or not ours.
        InputError: A file of the study cannot be used.
        StoreError: The database cannot be used, or is not there any more when the server is stopped.
    """
    raise_descriptor_limit()
    # A bot's own code may take the process to another folder.
    study, log = replace(study, folder=study.folder.absolute()), log.absolute() if log else None
    if not new_database:
        check_place(study)
    listener = listen(host, port)
    supervisor: Supervisor | None = None
    with listener, serving(study.database) as has_others, _handlers_put_back():
        base = (base_url or _address(listener)).rstrip("/")
        with open_study(study, new_database=True) as store:
            prepared = prepare_study(study, store, watch=watch)
            identity = store.run(ensure_secret("identity"))

            last = store.run(fetch_fact(BASE_URL_FACT)) if has_others else None

            def tell_links() -> None:
                store.run(note_fact(BASE_URL_FACT, base))
                served = _serving(study, store, base, prepared, log)
                other = (last or "an unknown address") if has_others else None
                announce(replace(served, other_server=other))

            # A bot that cannot be opened fails before anybody is told a link.
            if workers == 1:
                with closing(_open_log(log)) as server_log:
                    app = create_app(
                        study, store, base_url=base_url, log=server_log, side_tasks=side_tasks, watch=watch
                    )
                    _run_here(app, listener, server_log, when_ready=tell_links)
            else:
                check_chat_parts(study, store, watch=watch)
                supervisor = _supervisor(study, listener, base_url, log, workers, side_tasks)
                tell_links()
        if supervisor is not None:
            supervisor.run()
        _check_saved(study, identity)
        if last is not None:
            _name_other_server(study, last, instead_of=base)


def _name_other_server(study: Study, other: str, *, instead_of: str) -> None:
    """At the end, let commands print the address of the server that was there before, if it still is."""
    place = urlsplit(other)
    try:
        port = place.port or {"https": 443}.get(place.scheme, 80)
        socket.create_connection((place.hostname or "", port), timeout=OTHER_SECONDS).close()
    except (OSError, ValueError):
        return
    with open_study(study) as store:
        if store.run(fetch_fact(BASE_URL_FACT)) == instead_of:
            store.run(note_fact(BASE_URL_FACT, other))


def _check_saved(study: Study, identity: str) -> None:
    """Make sure, at the end, that what was acknowledged is in the database that the study names."""
    here = look_at(study.database)
    if here.identity != identity:
        raise StoreGone(here.where)


@contextmanager
def served(app: FastAPI, *, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """Serve an application in a thread of this process while the block runs; gives its address.

    For rehearsals and tests; a study for real annotators is served by `serve_study`.
    """
    with listen(host, port) as listener:
        server = _Server(_config(app))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="duologue-server")
        thread.start()
        while not server.ready.wait(0.05) and thread.is_alive():
            pass
        try:
            yield _address(listener)
        finally:
            server.should_exit = True
            thread.join()


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that is bound and listens; on the first free port from 8000 on when ``port`` is None.

    Raises:
        CannotListen: The address is taken or not ours.
    """
    last: OSError | None = None
    candidates = range(FIRST_PORT, FIRST_PORT + PORTS_TRIED) if port is None else (port,)
    for candidate in candidates:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(
                host, candidate, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            return _bound(socket.socket(family, kind, protocol), address)
        except OSError as error:
            last = error
            if error.errno != errno.EADDRINUSE:
                break
    raise CannotListen(host, candidate, (last.strerror if last else "") or str(last)) from last


def _bound(listener: socket.socket, address: object) -> socket.socket:
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)  # type: ignore[arg-type]
        listener.listen(2048)
    except OSError:
        listener.close()
        raise
    return listener


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104  compared with, not bound to
        host = socket.gethostname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _serving(study: Study, store: Store, base: str, prepared: PreparedStudy, log: Path | None) -> ServedStudy:
    annotators = store.run(fetch_annotators())
    if not annotators:
        for cohort in study.link_cohorts:
            store.run(invite_annotators(1, cohort=cohort))
        annotators = store.run(fetch_annotators())
    keys = Keys.of(store)
    return ServedStudy(
        base_url=base,
        annotator_links={
            annotator_link(base, annotator.token): annotator.cohort
            for annotator in annotators
            if annotator.kind == "lab" and not (annotator.is_revoked or annotator.is_withdrawn)
        },
        open_links=open_links(base, study, keys),
        researcher_link=researcher_link(base, keys.researcher),
        researcher_key=keys.researcher,
        prepared=prepared,
        database=_without_password(study.database),
        log=log,
    )


def _without_password(database: str) -> str:
    """A database's address as it may be printed.

    Example:
        >>> _without_password("postgresql://ada:secret@host/studies")
        'postgresql://ada@host/studies'
    """
    return re.sub(r"://([^/@:]*):[^/@]*@", r"://\1@", database).removeprefix("sqlite:///")


class _Server(uvicorn.Server):
    """uvicorn's server, which tells when it answers requests, and ends streams when it stops."""

    def __init__(self, config: uvicorn.Config, *, when_ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._when_ready = when_ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # In a thread uvicorn leaves signals alone, and so do we.
        is_ignored = threading.current_thread() is threading.main_thread() and _is_interrupt_ignored()
        with super().capture_signals():
            if is_ignored:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
            yield
            self._captured_signals.clear()  # uvicorn would repeat them: being told to stop is a normal end

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._when_ready()
        self.ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if isinstance(self.config.app, FastAPI):
            _site(self.config.app).changes.close()
        await super().shutdown(sockets=sockets)


def _config(app: FastAPI | Callable[[], FastAPI], *, workers: int = 1) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=not isinstance(app, FastAPI),
        workers=workers,
        timeout_worker_healthcheck=HEALTHCHECK_SECONDS,
        access_log=False,
        log_config=None,
        server_header=False,
        http=PatientProtocol,
        backlog=taken_at_once(),
        ws="none",
        lifespan="on",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=10,
    )


def _run_here(
    app: FastAPI, listener: socket.socket, log: ServerLog, *, when_ready: Callable[[], None]
) -> None:
    log.note("start")
    _settle_memory()
    _Server(_config(app), when_ready=when_ready).run(sockets=[listener])
    log.note("stop")


@contextmanager
def _handlers_put_back() -> Iterator[None]:
    """After the block, being told to stop means what it did before."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _is_interrupt_ignored() -> bool:
    """Whether we began as a background job of a script: Ctrl+C is meant for others, and SIGTERM ends us."""
    return signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def _open_log(path: Path | None) -> ServerLog:
    log = ServerLog(path)
    for name in ("uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers = [UvicornNotes(log)]
        logger.propagate = False
        logger.setLevel(logging.WARNING)
    return log


def _supervisor(
    study: Study,
    listener: socket.socket,
    base_url: str | None,
    log: Path | None,
    workers: int,
    side_tasks: Sequence[SideTask],
) -> Supervisor:
    """What will begin and watch the processes; from now on being told to stop ends them."""
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    is_ignored = _is_interrupt_ignored()
    app = partial(worker_app, study, base_url, log, side_tasks, ignores_interrupts=is_ignored)
    supervisor = Supervisor(_config(app, workers=workers), sockets=[listener])
    if is_ignored:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return supervisor


class Supervisor(Multiprocess):
    """uvicorn's supervisor, which notices at once when a worker dies."""

    def keep_subprocess_alive(self) -> None:
        """Replace the workers that have died or do not answer.

        uvicorn asks each worker through a pipe whether it lives, and keeps the worker's end of that pipe open
        as well. So the pipe did not end with a worker that was killed before it answered: for
        `HEALTHCHECK_SECONDS` nobody replaced it, and being told to stop was not heard. Workers that have
        started have their end of the pipe; ours is closed.
        """
        for worker in self.processes:
            worker.child_conn.close()
        super().keep_subprocess_alive()


def worker_app(
    study: Study,
    base_url: str | None,
    log: Path | None,
    side_tasks: Sequence[SideTask] = (),
    *,
    ignores_interrupts: bool = False,
) -> FastAPI:
    """The application as one of several processes runs it; it ends when the process that began it does."""
    server_log = _open_log(log)
    server_log.note("start")
    threading.Thread(target=_end_with_parent, name="duologue-parent", daemon=True).start()
    store = open_store(study.database)
    app = create_app(
        study,
        store,
        base_url=base_url,
        log=server_log,
        closes_store=True,
        side_tasks=[partial(_end_streams_when_told, ignores_interrupts=ignores_interrupts), *side_tasks],
    )
    _settle_memory()
    return app


def _site(app: FastAPI) -> Site:
    site = app.state.site
    assert isinstance(site, Site)  # noqa: S101  `create_app` put it there
    return site


async def _end_streams_when_told(site: Site, *, ignores_interrupts: bool = False) -> None:
    """When this process is told to stop, streams end first: uvicorn waits for them before it tells us."""
    loop = asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        return

    def chained(number: signal.Signals) -> None:
        before = signal.getsignal(number)

        def told(received: int, frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(site.changes.close)
            if callable(before):
                before(received, frame)

        signal.signal(number, told)

    chained(signal.SIGTERM)
    if ignores_interrupts:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    else:
        chained(signal.SIGINT)


def _settle_memory() -> None:
    """What is there before the first request stays: the garbage collector need not look at it again."""
    gc.collect()
    gc.freeze()


def _end_with_parent() -> None:
    """A worker whose parent was killed would hold the port and serve on unsupervised: it stops instead."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
