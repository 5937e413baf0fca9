import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from duologue.server import ServerLog, create_app
from duologue.store import Store, ensure_secret, invite_annotators
from duologue.studies import Study
from tests.server.visits import Visitor


@pytest.fixture
def log(tmp_path: Path) -> Iterator[ServerLog]:
    log = ServerLog(tmp_path / "server.jsonl")
    yield log
    log.close()


@pytest.fixture
def logged(study: Study, store: Store, log: ServerLog) -> TestClient:
    return TestClient(create_app(study, store, log=log), follow_redirects=False)


def lines(log: ServerLog) -> list[dict[str, object]]:
    assert log.path is not None
    return [json.loads(line) for line in log.path.read_text(encoding="utf-8").splitlines()]


PATHS = ["/", "/a/unknown", "/researcher", "/researcher/sign-in", "/api/progress", "/nowhere", "/healthz"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_is_guarded(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers


def test_annotators_pages_may_be_framed_and_the_researchers_may_not(client: TestClient) -> None:
    assert "frame-ancestors *" in client.get("/a/unknown").headers["content-security-policy"]
    headers = client.get("/researcher/sign-in").headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"


def test_no_page_has_script_or_style_of_its_own(visitor: Visitor) -> None:
    for html in (visitor.open().text, visitor.consent().text, visitor.client.get("/researcher/sign-in").text):
        assert "<style" not in html
        assert " style=" not in html
        assert " onclick" not in html
        assert html.count("<script") == html.count('<script type="module" src="/static/')
        assert "http://" not in html.replace("http://testserver", "")
        assert "https://" not in html


def test_a_body_that_is_too_large_is_refused(visitor: Visitor) -> None:
    visitor.consent()
    answer = visitor.client.post(f"/a/{visitor.token}/submit", data={"reason": "x" * 300_000})
    assert answer.status_code == 413
    assert "too much text to send at once" in answer.text


def test_a_body_without_a_length_is_counted_as_it_comes(visitor: Visitor) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * 10_000

    answer = visitor.client.post(
        f"/a/{visitor.token}/submit",
        content=pieces(),
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert answer.status_code == 413


def test_a_method_nobody_offers_is_refused_in_the_same_shape(client: TestClient) -> None:
    assert client.put("/a/unknown").status_code == 405
    answer = client.put("/api/progress")
    assert answer.status_code == 405
    assert answer.json()["error"]["code"] == "method-not-allowed"
    assert answer.headers["allow"]


def test_a_bug_is_a_plain_page_without_detail_and_a_line_in_the_log(
    logged: TestClient, log: ServerLog
) -> None:
    async def broken(request: Request) -> Response:
        raise ValueError("the text of a dialogue")

    logged.app.router.routes.insert(0, Route("/broken/{token}", broken))  # type: ignore[attr-defined]
    answer = logged.get("/broken/secret-token")
    assert answer.status_code == 500
    assert "content-security-policy" in answer.headers
    for leak in ("ValueError", "dialogue", "Traceback"):
        assert leak not in answer.text
    failure, request = lines(log)
    assert failure["error"] == "ValueError"
    assert any("broken" in str(frame) for frame in failure["frames"])  # type: ignore[attr-defined]
    assert request["status"] == 500
    assert "the text of a dialogue" not in json.dumps(failure)


def test_the_log_knows_routes_and_never_tokens(
    study: Study, store: Store, logged: TestClient, log: ServerLog
) -> None:
    visitor = Visitor(logged, store.run(invite_annotators(1, labels=["Grace Hopper"]))[0].token)
    visitor.open()
    visitor.submit(visitor.consent(), reason="a very particular reason")
    logged.get("/a/unknown-token-0123")
    logged.get("/made-up-path-0123")
    seen = lines(log)
    assert [(line["method"], line["route"], line["status"]) for line in seen] == [
        ("GET", "/a/{token}", 200),
        ("POST", "/a/{token}/consent", 303),
        ("GET", "/a/{token}", 200),
        ("POST", "/a/{token}/submit", 303),
        ("GET", "/a/{token}", 404),
        ("GET", "(none)", 404),
    ]
    assert all(isinstance(line["ms"], float) and line["time"] for line in seen)
    text = json.dumps(seen)
    for leak in (visitor.token, "Hopper", "particular", "unknown-token-0123", "made-up-path-0123", "hello"):
        assert leak not in text


def test_api_routes_are_logged_by_their_template(logged: TestClient, store: Store, log: ServerLog) -> None:
    key = {"authorization": f"Bearer {store.run(ensure_secret('researcher'))}"}
    logged.post("/api/annotators/nobody-9876/revoke", headers=key)
    assert lines(log)[-1]["route"] == "/api/annotators/{annotator}/revoke"
