import os
import pickle
import signal
import socket
import threading
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import httpx2
import pytest
import uvicorn
from uvicorn.supervisors.multiprocess import SIGNALS, Process

from duologue.bots import AnsweringBot, AnsweringSettings, LogsBot, open_bot
from duologue.errors import CannotListen, FormatError
from duologue.server import ServedStudy, create_app, serve_study, served
from duologue.server.annotator import replies
from duologue.server.running.serving import FIRST_PORT, Supervisor, listen, worker_app
from duologue.store import Store, fetch_annotators, fetch_fact, open_store
from duologue.studies import Study
from tests.ports import reserved_port
from tests.processes import interruptible
from tests.server.chat_studies import make_chat_study
from tests.waiting import PATIENCE

T = TypeVar("T")


def test_the_next_free_port_is_taken_when_none_is_asked_for() -> None:
    with listen("127.0.0.1", None) as first, listen("127.0.0.1", None) as second:
        ports = [first.getsockname()[1], second.getsockname()[1]]
    assert FIRST_PORT <= ports[0] < ports[1] < FIRST_PORT + 100


def test_a_port_that_is_asked_for_and_taken_is_refused_by_name() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=rf"port {port}: .*in use.*--port"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["203.0.113.1", "no-such-host.invalid"])
def test_an_address_that_is_not_ours_is_refused(host: str) -> None:
    with pytest.raises(CannotListen, match="--host"):
        listen(host, 0)


def test_an_application_is_served_while_the_block_runs(study: Study, store: Store) -> None:
    with served(create_app(study, store)) as address:
        assert httpx2.get(f"{address}/healthz", timeout=PATIENCE).json() == {"status": "ok"}
    with pytest.raises(httpx2.TransportError):
        httpx2.get(f"{address}/healthz", timeout=PATIENCE)


def test_an_application_is_served_in_a_thread_of_a_background_job(study: Study, store: Store) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with served(create_app(study, store)) as address:
            assert httpx2.get(f"{address}/healthz", timeout=PATIENCE).status_code == 200
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_worker_can_be_sent_to_another_process_and_closes_what_it_opened(
    study: Study, store: Store, tmp_path: Path
) -> None:
    app = pickle.loads(pickle.dumps(partial(worker_app, study, None, tmp_path / "log.jsonl")))()
    with served(app) as address:
        assert httpx2.get(f"{address}/a/unknown", timeout=PATIENCE).status_code == 404
    assert app.state.site.log._file == -1
    assert '"route": "/a/{token}"' in (tmp_path / "log.jsonl").read_text(encoding="utf-8")


def test_serving_prepares_announces_invites_and_ends_when_told(
    study: Study, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    announced: list[ServedStudy] = []

    def announce(serving: ServedStudy) -> None:
        announced.append(serving)
        threading.Thread(target=_visit_and_stop, args=(serving,)).start()

    seen: list[int] = []

    def _visit_and_stop(serving: ServedStudy) -> None:
        try:
            seen.append(httpx2.get(next(iter(serving.annotator_links)), timeout=PATIENCE).status_code)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    serve_study(study, port=0, log=tmp_path / "server.jsonl", announce=announce)
    (serving,) = announced
    assert seen == [200]
    assert (serving.prepared.items, serving.prepared.dialogues) == (6, 12)
    assert serving.open_links == {}
    assert serving.researcher_link.endswith(f"/researcher/sign-in#key={serving.researcher_key}")
    assert serving.database == str(study.folder / "study.db")
    with open_store(study.database) as store:
        assert len(store.run(fetch_annotators())) == 1
        assert store.run(fetch_fact("base-url")) == serving.base_url
    events = (tmp_path / "server.jsonl").read_text(encoding="utf-8")
    assert '"event": "start"' in events
    assert '"event": "stop"' in events
    assert next(iter(serving.annotator_links)).rsplit("/", 1)[1] not in events
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_who_stops_it_as_soon_as_links_are_told_is_heard(study: Study, tmp_path: Path, workers: int) -> None:
    announced: list[ServedStudy] = []

    def announce(serving: ServedStudy) -> None:
        announced.append(serving)
        os.kill(os.getpid(), signal.SIGINT)

    with interruptible():
        base_url = "https://study.example.org/"
        serve_study(study, port=0, workers=workers, base_url=base_url, log=tmp_path / "l", announce=announce)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert next(iter(announced[0].annotator_links)).startswith("https://study.example.org/a/")


@pytest.mark.parametrize("workers", [1, 2])
def test_every_bot_is_opened_before_a_link_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    study = make_chat_study(tmp_path / "s", bots=(("ann", "echo"), ("bob", "told")))
    happened: list[str] = []

    def noted(settings: LogsBot | AnsweringSettings, *, folder: Path, is_live: bool) -> AnsweringBot:
        happened.append(f"opened {settings.name}")
        return open_bot(settings, folder=folder, is_live=is_live)

    def watched(things: Iterable[T], what: str, /) -> Iterable[T]:
        happened.append(f"loading {what}")
        return things

    def announce(serving: ServedStudy) -> None:
        raise InterruptedError

    monkeypatch.setattr(replies, "open_bot", noted)
    with pytest.raises(InterruptedError):
        serve_study(study, port=0, workers=workers, log=tmp_path / "l", announce=announce, watch=watched)
    assert happened[-3:] == ["loading bots", "opened ann", "opened bob"]
    assert happened.count("opened ann") == 1


def test_bots_that_were_opened_before_the_links_are_those_that_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_chat_study(tmp_path / "s")
    opened: list[str] = []

    def noted(settings: LogsBot | AnsweringSettings, *, folder: Path, is_live: bool) -> AnsweringBot:
        opened.append(settings.name)
        return open_bot(settings, folder=folder, is_live=is_live)

    monkeypatch.setattr(replies, "open_bot", noted)

    def announce(serving: ServedStudy) -> None:
        threading.Thread(target=_visit_and_stop, args=(serving,)).start()

    def _visit_and_stop(serving: ServedStudy) -> None:
        try:
            httpx2.get(next(iter(serving.annotator_links)), timeout=PATIENCE)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    serve_study(study, port=0, log=tmp_path / "l", announce=announce)
    assert opened == ["ann"]


def test_the_socket_is_given_back_when_the_study_cannot_be_used(study: Study, tmp_path: Path) -> None:
    study.items_path.write_text("spoilt", encoding="utf-8")
    with reserved_port() as port:
        with pytest.raises(FormatError, match="pairings"):
            serve_study(study, port=port, log=tmp_path / "l")
        listen("127.0.0.1", port).close()


class SilentWorker(Process):
    """A worker that runs and does not answer when it is asked whether it lives."""

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        threading.Event().wait()


@pytest.fixture
def supervisor() -> Iterator[Supervisor]:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    supervisor = Supervisor(uvicorn.Config("never:loaded", timeout_worker_healthcheck=int(PATIENCE)), [])
    yield supervisor
    for worker in supervisor.processes:
        worker.kill()
        worker.join()
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_worker_that_is_killed_while_it_is_asked_whether_it_lives_is_noticed_at_once(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = SilentWorker(supervisor.config, [])
    worker.start()
    supervisor.processes.append(worker)
    asked = worker.parent_conn.poll

    def killed_when_asked(timeout: float | None = 0.0) -> bool:
        os.kill(worker.pid or 0, signal.SIGKILL)
        supervisor.should_exit.set()  # nobody takes its place
        is_noticed = asked(timeout)
        assert is_noticed
        return is_noticed

    monkeypatch.setattr(worker.parent_conn, "poll", killed_when_asked)
    supervisor.keep_subprocess_alive()
    assert worker.exitcode == -signal.SIGKILL
