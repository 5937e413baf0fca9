"""Looks at results through the dashboard are kept; exclusions say what they mean for the verdicts."""

from collections.abc import Callable
from pathlib import Path

from starlette.testclient import TestClient

from duologue.server import create_app
from duologue.store import (
    Store,
    ensure_secret,
    exclude_judgments,
    fetch_judgments,
    fetch_looks,
    invite_annotators,
    restore_judgments,
)
from duologue.studies import PLAN_FILE
from tests.server.conftest import prepared_store
from tests.server.studies import make_study
from tests.server.visits import Visitor
from tests.waiting import wait_until

Serve = Callable[..., tuple[TestClient, Store]]


def signed(client: TestClient, store: Store) -> TestClient:
    client.headers["authorization"] = f"Bearer {store.run(ensure_secret('researcher'))}"
    return client


def test_hidden_win_rates_are_no_look_and_shown_ones_are(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=2, rest="[annotators]\nmax_judgments = 2\n")
    api = signed(client, store)
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    page = visitor.submit(visitor.consent(), script=True)
    assert api.get("/api/progress").status_code == 200
    assert store.run(fetch_looks()) == ()
    visitor.submit(page, script=True)
    for _ in range(2):
        assert api.get("/api/progress").json()[0]["wins"]
    (look,) = store.run(fetch_looks())
    assert (look.how, look.judgments, look.planned, look.is_interim) == ("dashboard", 2, 2, False)


def test_a_look_at_a_sequential_study_before_the_plan_is_interim(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=4, rest='[stopping]\nrule = "sequential"\n')
    api = signed(client, store)
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    visitor.submit(visitor.consent(), script=True)
    api.get("/api/progress")
    (look,) = store.run(fetch_looks())
    assert look.is_interim


def test_exclusions_tell_whether_they_are_declared_and_after_which_look(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=2, rest="[annotators]\nmax_judgments = 2\n")
    api = signed(client, store)
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    visitor.submit(visitor.submit(visitor.consent(), script=True), script=True)
    first, second = [one.id for one in store.stream(fetch_judgments())]
    store.run(exclude_judgments([first], rule="test-entry", reason="mine", by="ada"))
    store.run(restore_judgments([first], rule="test-entry", reason="no", by="ada"))
    api.get("/api/progress")
    store.run(exclude_judgments([second], rule="researcher", reason="too fast", by="ada"))
    found = [
        (one["rule"], one["is_by_hand"], one["is_declared"], one["after_looks"])
        for one in api.get("/api/exclusions").json()
    ]
    assert found == [
        ("test-entry", True, True, 0),
        ("test-entry", True, True, 0),
        ("researcher", True, False, 1),
    ]


def test_the_server_writes_the_plan_when_the_first_judgment_has_come(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", onboarding=0)
    with (
        prepared_store(study) as store,
        TestClient(create_app(study, store), follow_redirects=False) as client,
    ):
        visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
        page = visitor.consent()
        assert not (study.folder / PLAN_FILE).exists()
        visitor.submit(page, script=True)
        wait_until((study.folder / PLAN_FILE).exists, "plan.json was written")


def test_a_download_of_the_judgments_is_a_look_once_any_counts(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=2, rest="[annotators]\nmax_judgments = 2\n")
    api = signed(client, store)
    assert api.get("/api/judgments").status_code == 200
    assert store.run(fetch_looks()) == ()
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    visitor.submit(visitor.consent(), script=True)
    for _ in range(2):
        assert api.get("/api/judgments").status_code == 200
    (look,) = store.run(fetch_looks())
    assert (look.how, look.judgments, look.planned, look.is_interim) == ("export", 1, 2, True)
