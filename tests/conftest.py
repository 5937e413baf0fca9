"""What holds for every test: a limit in time, the same examples in every run, and no hurry.

`make test` tries the same examples of a property each time; `make test-slow` draws new ones, and more.
"""

import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests.certificates import keep_certificates
from tests.commands import program
from tests.forked import SHARED
from tests.statements import keep_statements
from tests.templates import keep_compiled

collect_ignore = ["best_worst"]
"""A distribution of its own, which is installed for the tests that use it."""

LIMIT_SECONDS = 600
"""No test takes a tenth of this on an idle machine: whatever reaches it hangs."""
SLOW_LIMIT_SECONDS = 3600

for library in ("OPENBLAS", "MKL", "OMP"):
    # One process a core runs tests already: more threads for small matrices only wait for each other, which
    # takes ten times as long. Set before numpy is imported, here and in the processes that tests start.
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

for name in ("NO_PROXY", "no_proxy"):
    # Servers of tests are on this machine, where no proxy of the environment can reach them.
    os.environ[name] = "127.0.0.1,127.0.0.2,localhost"
os.environ.pop("FORCE_COLOR", None)  # a terminal's choice; commands in tests print to files

settings.register_profile("duologue", max_examples=10, deadline=None, derandomize=True, database=None)
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "duologue"))
if settings.get_current_profile_name() == "duologue":
    # Hypothesis draws constants that stand in our modules, too. Which of them are loaded depends on the tests
    # that ran before in the process, so the examples would; and it parses eight hundred files in each.
    providers._get_local_constants = lambda: providers._local_constants


_own_folder = tempfile.TemporaryDirectory(prefix="duologue-templates-")
keep_compiled(os.environ.get(SHARED, _own_folder.name))
keep_statements()
keep_certificates()


def pytest_collection_finish() -> None:
    """Look for garbage less often, and never among what was imported: it takes a twentieth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session")
def quick_duologue() -> Iterator[Path]:
    """A folder with the program ``duologue`` that does not import everything each time."""
    with program() as folder:
        yield folder


@pytest.fixture(scope="session")
def forked_servers(quick_duologue: Path) -> Iterator[None]:
    """Rehearsals in this process fork their servers, too."""
    from duologue.rehearsal import serving

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving, "DUOLOGUE", (str(quick_duologue / "duologue"),))
        yield


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure of a report is made, and saved as files that are empty: drawing takes most of its time."""
    from duologue.reports import drawing

    def saved(_figure: object, stem: Path) -> Iterator[Path]:
        for kind in ("svg", "pdf"):
            path = stem.with_name(f"{stem.name}.{kind}")
            path.touch()
            yield path

    monkeypatch.setattr(drawing, "_saved", saved)


LONG_FIRST = ("test_docs.py", "end_to_end", "telegram", "browser", "cli", "rehearsal")
"""Files and folders whose tests take or wait longest: begun late, they would leave the other cores idle."""


def _turn(part: str) -> int:
    return LONG_FIRST.index(part) if part in LONG_FIRST else len(LONG_FIRST)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test its limit, and put the long ones first: short ones then fill the last minute."""
    items.sort(key=lambda item: min(map(_turn, item.path.parts)))
    for item in items:
        if item.get_closest_marker("timeout") is None:
            is_slow = item.get_closest_marker("slow") is not None
            item.add_marker(pytest.mark.timeout(SLOW_LIMIT_SECONDS if is_slow else LIMIT_SECONDS))
