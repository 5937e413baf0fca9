"""Tests run by several processes that are forked off the one that has collected them.

Collecting takes fifteen seconds, and a minute where nothing is compiled yet; here it is done once, not once a
process. Each process gets one file of tests after the other, the first of those that are left. Use it as a
plugin of pytest: ``-p tests.spreading --processes 4``.
"""

from __future__ import annotations

import os
import traceback
from collections import deque
from collections.abc import Sequence
from itertools import groupby
from multiprocessing.connection import Connection, Pipe, wait

import pytest

Group = tuple[int, ...]
"""Tests by their places in the session: those of one file, or what is left of them."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--processes", type=int, default=0, help="how many processes run tests; 0: only this one"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Hand out the files of tests to several processes, and tell what they report."""
    processes = session.config.getoption("--processes")
    if not processes or session.config.option.collectonly or session.testsfailed:
        return None
    _Crew(session).run(processes)
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)
    return True


class _Crew:
    """The processes at work, from the side of the one that hands out the work."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session
        places = enumerate(session.items)
        self._left: deque[Group] = deque(
            tuple(place for place, _ in group) for _, group in groupby(places, key=lambda one: one[1].path)
        )
        self._at_work: dict[Connection, list[int]] = {}
        """What each process was given and has not finished, in order."""
        self._pids: dict[Connection, int] = {}

    def run(self, processes: int) -> None:
        for _ in range(min(processes, len(self._left))):
            self._fork()
        while self._at_work:
            for connection in wait(list(self._at_work)):
                assert isinstance(connection, Connection)
                try:
                    said, what = connection.recv()
                except EOFError:
                    self._mourn(connection)
                    continue
                if said == "wants":
                    self._hand_out(connection)
                elif said == "finished":
                    self._at_work[connection].remove(what)
                else:
                    hook = self._session.config.hook
                    report = hook.pytest_report_from_serializable(config=self._session.config, data=what)
                    hook.pytest_runtest_logreport(report=report)

    def _fork(self) -> None:
        # Made before the fork: all put their folders into it. Pytest has no public name for who makes it.
        self._session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        ours, theirs = Pipe()
        pid = os.fork()
        if pid == 0:
            for other in (ours, *self._at_work):
                other.close()
            _work(self._session, theirs)
        theirs.close()
        self._at_work[ours], self._pids[ours] = [], pid

    def _hand_out(self, connection: Connection) -> None:
        is_over = self._session.shouldfail or self._session.shouldstop or not self._left
        group = None if is_over else self._left.popleft()
        self._at_work[connection].extend(group or ())
        connection.send(group)

    def _mourn(self, connection: Connection) -> None:
        """A process has ended: well, or while it ran a test, which has failed then; another does the rest."""
        connection.close()
        _, status = os.waitpid(self._pids.pop(connection), 0)
        if unfinished := self._at_work.pop(connection):
            died, *rest = unfinished
            item = self._session.items[died]
            report = pytest.TestReport(
                item.nodeid, item.location, {}, "failed", "The process that ran this test ended.", "call"
            )
            self._session.config.hook.pytest_runtest_logreport(report=report)
            if rest:
                self._left.appendleft(tuple(rest))
            if self._left:
                self._fork()
        elif status:
            self._session.shouldfail = "a process ended badly between two tests"


def _work(session: pytest.Session, connection: Connection) -> None:
    """Be one of the processes: run what is handed out, and end."""
    code = 1
    try:
        _Reporter(session.config, connection).run(session.items)
        session.config.hook.pytest_process_ends(config=session.config)
        code = 0
    except BaseException:
        session.config.pluginmanager.getplugin("capturemanager").stop_global_capturing()
        traceback.print_exc()
    finally:
        connection.close()
        os._exit(code)


class _Reporter:
    """Runs tests, and sends what would be printed of them."""

    def __init__(self, config: pytest.Config, connection: Connection) -> None:
        self._config, self._connection = config, connection
        plugins = config.pluginmanager
        plugins.unregister(name="terminalreporter")
        plugins.register(self)
        capture = plugins.getplugin("capturemanager")
        capture.stop_global_capturing()  # its files are shared with the other processes
        capture.start_global_capturing()

    def run(self, items: Sequence[pytest.Item]) -> None:
        group = self._next_group()
        while group:
            *most, last = group
            for place, after in zip(most, group[1:], strict=True):
                self._run(items, place, after)
            group = self._next_group()  # what comes after a test says which fixtures stay
            self._run(items, last, group[0] if group else None)

    def _run(self, items: Sequence[pytest.Item], place: int, after: int | None) -> None:
        item, nextitem = items[place], None if after is None else items[after]
        self._config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)
        self._connection.send(("finished", place))

    def _next_group(self) -> Group | None:
        self._connection.send(("wants", None))
        group: Group | None = self._connection.recv()
        return group

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._connection.send(("reports", data))


class Hooks:
    """What plugins may do beside it."""

    @pytest.hookspec
    def pytest_process_ends(self, config: pytest.Config) -> None:
        """A process that ran tests has run all it will run."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(Hooks)
