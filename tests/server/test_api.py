"""The API says what it does and does what it says."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from starlette.testclient import TestClient

from duologue.server import create_app
from duologue.server.limits import SlowDown
from duologue.server.researcher.api import api as api_router
from duologue.store import Store, block_annotator, ensure_secret, fetch_annotators, invite_annotators
from duologue.studies import Study
from tests.server.conftest import prepared_store
from tests.server.studies import make_study
from tests.server.visits import Visitor
from tests.strategies import thorough

Operation = schemathesis.APIOperation[Any, Any, Any, Any]


@pytest.fixture
def api(client: TestClient, store: Store) -> TestClient:
    client.headers["authorization"] = f"Bearer {store.run(ensure_secret('researcher'))}"
    return client


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Study, Store]]:
    folder: Path = tmp_path_factory.mktemp("api") / "study"
    study = make_study(folder)
    with prepared_store(study) as store:
        yield study, store


def let_wrong_keys_through_at_once(app: FastAPI) -> None:
    """So many are sent here that waiting for each would take minutes; tests/server/test_sign_in.py waits."""
    app.state.site = replace(app.state.site, wrong_keys=SlowDown(most_seconds=0))


@pytest.fixture(scope="module")
def operations(described: tuple[Study, Store]) -> Mapping[str, Operation]:
    study, store = described
    store.run(invite_annotators(2))
    app = create_app(study, store)
    let_wrong_keys_through_at_once(app)
    Visitor(TestClient(app, follow_redirects=False), store.run(invite_annotators(1))[0].token).consent()
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    found = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    return {operation.definition.raw["operationId"]: operation for operation in found}


NAMES = [route.operation_id for route in api_router.routes if isinstance(route, APIRoute)]


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("name", NAMES)
def test_every_operation_answers_as_documented(
    name: str,
    mode: GenerationMode,
    operations: Mapping[str, Operation],
    described: tuple[Study, Store],
) -> None:
    """Whatever is sent, legal or not: no 5xx, only documented statuses, headers and bodies."""
    key = {"Authorization": f"Bearer {described[1].run(ensure_secret('researcher'))}"}

    @settings(thorough(5), database=None, suppress_health_check=list(HealthCheck))
    @given(case=operations[name].as_strategy(generation_mode=mode, headers=key))
    def send(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate()

    if mode is GenerationMode.NEGATIVE and not _takes_anything(operations[name]):
        return
    send()


def _takes_anything(operation: Operation) -> bool:
    return bool({"parameters", "requestBody"} & set(operation.definition.raw))


@pytest.mark.parametrize("count", [True, "2", 2.5, 0, 1001, None])
def test_the_number_of_links_is_a_number(client: TestClient, store: Store, count: object) -> None:
    key = {"Authorization": f"Bearer {store.run(ensure_secret('researcher'))}"}
    before = len(store.run(fetch_annotators()))
    answer = client.post("/api/annotators", json={"count": count}, headers=key)
    assert answer.status_code == 422
    assert len(store.run(fetch_annotators())) == before


def test_without_the_key_nothing_is_told(client: TestClient, store: Store) -> None:
    assert isinstance(client.app, FastAPI)
    let_wrong_keys_through_at_once(client.app)
    description = client.get("/api/openapi.json").json()
    for path, operations in description["paths"].items():
        for method in operations:
            address = path.replace("{annotator}", "a").replace("{assignment}", "a")
            for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Basic eDp5"}):
                answer = client.request(method, address, headers=headers)
                assert answer.status_code == 401, (method, path)
                assert answer.json()["error"]["code"] == "sign-in-needed"
                assert answer.headers["www-authenticate"] == "Bearer"
    assert store.run(fetch_annotators()) == ()


def test_the_signed_in_researchers_cookie_is_not_a_key(client: TestClient, store: Store) -> None:
    client.post("/researcher/sign-in", data={"key": store.run(ensure_secret("researcher"))})
    assert client.get("/api/progress").status_code == 401


def test_the_study_is_described(api: TestClient) -> None:
    found = api.get("/api/study").json()
    assert (found["name"], found["protocol"], found["seed"]) == ("tested", "acute", 7)
    assert [arm["name"] for arm in found["arms"]] == ["main"]
    assert (found["revisions"], found["is_rehearsal"]) == (1, False)


def test_progress_hides_win_rates_as_the_page_does(api: TestClient) -> None:
    (group,) = api.get("/api/progress").json()
    assert (group["group"], group["wanted"], group["done"]) == ("ann__vs__bob", 4, 0)
    assert (group["hidden"], group["wins"]) == ("planned", [])


def test_invitations_carry_links_that_work(api: TestClient) -> None:
    made = api.post("/api/annotators", json={"labels": ["Ada", "Grace"]})
    assert made.status_code == 201
    assert [one["label"] for one in made.json()] == ["Ada", "Grace"]
    assert api.get(made.json()[0]["link"]).status_code == 200


def test_too_many_invitations_at_once_are_refused(api: TestClient, store: Store) -> None:
    answer = api.post("/api/annotators", json={"count": 1001})
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "count"
    assert store.run(fetch_annotators()) == ()


def test_an_annotator_is_blocked_unblocked_revoked_and_erased(api: TestClient, store: Store) -> None:
    annotator = store.run(invite_annotators(1, labels=["Ada"]))[0].annotator
    base = f"/api/annotators/{annotator}"
    for verb, body, fact in (
        ("block", {"reason": "careless"}, ("is_blocked", True)),
        ("unblock", {"reason": "not so"}, ("is_blocked", False)),
        ("revoke", None, ("is_revoked", True)),
        ("unrevoke", None, ("is_revoked", False)),
        ("withdraw", {"reason": "asked"}, ("is_withdrawn", True)),
    ):
        assert api.post(f"{base}/{verb}", json=body).status_code == (200 if verb == "withdraw" else 204)
        (found,) = api.get("/api/annotators").json()
        assert found[fact[0]] is fact[1], verb
    assert (found["label"], found["link"]) == ("", "")


def test_a_block_without_a_reason_is_refused(api: TestClient, store: Store) -> None:
    annotator = store.run(invite_annotators(1))[0].annotator
    answer = api.post(f"/api/annotators/{annotator}/block", json={"reason": ""})
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "reason"


def test_who_does_not_exist_is_not_found(api: TestClient) -> None:
    answer = api.post("/api/annotators/nobody/revoke")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not-found"


def test_leases_and_exclusions_and_health_are_told(api: TestClient, store: Store) -> None:
    visitor = Visitor(api, store.run(invite_annotators(1))[0].token)
    page = visitor.consent()
    for _ in range(2):
        page = visitor.submit(page, script=True)
    (lease,) = api.get("/api/leases").json()
    assert api.post(f"/api/leases/{lease['assignment']}/release").status_code == 204
    assert api.get("/api/leases").json() == []
    annotator = store.run(fetch_annotators())[0].id
    store.run(block_annotator(annotator, reason="careless", by="test"))
    assert "careless" in {one["reason"] for one in api.get("/api/exclusions").json()}
    health = api.get("/api/health").json()
    assert health["is_healthy"] is True
    assert health["engine"] == "sqlite"


def test_judgments_come_as_lines_or_as_csv(api: TestClient, store: Store) -> None:
    visitor = Visitor(api, store.run(invite_annotators(1))[0].token)
    visitor.submit(visitor.consent())
    lines = api.get("/api/judgments")
    assert lines.headers["content-type"].startswith("application/jsonl")
    assert len(lines.text.splitlines()) == 1
    table = api.get("/api/judgments?format=csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert len(table.text.splitlines()) == 2
    assert api.get("/api/judgments?format=xls").status_code == 422


def test_links_name_the_open_link_only_when_there_is_one(api: TestClient) -> None:
    assert api.get("/api/links").json() == {"open_link": None, "cohorts": {}}


def test_the_health_of_the_server_needs_no_key(client: TestClient) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_completion_codes_are_listed_and_checked(api: TestClient, visitor: Visitor, store: Store) -> None:
    page = visitor.consent()
    while 'name="assignment"' in page.text:
        page = visitor.submit(page, script=True)
    code = store.run(fetch_annotators())[0].code
    (listed,) = api.get("/api/codes").json()
    assert (listed["code"], listed["state"], listed["judgments"]) == (code, "finished", 3)
    assert api.get(f"/api/codes/{code.lower()}").json() == listed
    assert api.get("/api/codes/NOTACODE").status_code == 404
    assert api.get("/api/codes?search=nobody").headers["x-total-count"] == "0"
