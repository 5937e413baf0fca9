"""A small study, its store, and a client that speaks to its application."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from duologue.server import create_app, prepare_study
from duologue.store import Store, invite_annotators, open_store
from duologue.store.database.engine import Database
from duologue.studies import Study
from tests.server.studies import make_study
from tests.server.visits import Visitor


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path / "study", rest="[annotators]\nmax_judgments = 3\n")


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with prepared_store(study) as store:
        yield store


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores that are opened from now on wait for a locked database for a moment only."""
    defaults = Database.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "patience", 0.05)


def prepared_store(study: Study) -> Store:
    store = open_store(study.database)
    prepare_study(study, store)
    return store


@pytest.fixture
def client(study: Study, store: Store) -> Iterator[TestClient]:
    with TestClient(create_app(study, store), follow_redirects=False) as client:
        yield client


@pytest.fixture
def visitor(client: TestClient, store: Store) -> Visitor:
    return Visitor(client, store.run(invite_annotators(1, labels=["Ada"]))[0].token)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., tuple[TestClient, Store]]]:
    """Makes a client for a study with other settings than the usual."""
    opened: list[Store] = []

    def make(**settings: object) -> tuple[TestClient, Store]:
        study = make_study(tmp_path / f"study-{len(opened)}", **settings)  # type: ignore[arg-type]
        store = prepared_store(study)
        opened.append(store)
        return TestClient(create_app(study, store), follow_redirects=False), store

    yield make
    for store in opened:
        store.close()
