import re
import time
from pathlib import Path

import pytest
from httpx2 import Response
from itsdangerous import URLSafeTimedSerializer
from starlette.testclient import TestClient

from duologue.server import change_key, create_app, researcher_link
from duologue.store import Store, ensure_secret, fetch_annotators, open_store
from duologue.studies import Study


def sign_in(client: TestClient, key: str) -> Response:
    return client.post("/researcher/sign-in", data={"key": key})


def mark_in(html: str) -> str:
    found = re.search(r'name="csrf_token" value="([^"]+)"', html)
    assert found
    return found[1]


@pytest.fixture
def signed_in(client: TestClient, store: Store) -> TestClient:
    assert sign_in(client, store.run(ensure_secret("researcher"))).status_code == 303
    return client


def test_without_the_key_every_page_leads_to_the_sign_in(client: TestClient) -> None:
    for page in ("", "/annotators", "/links", "/leases", "/judgments", "/judgments.csv"):
        answer = client.get(f"/researcher{page}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/researcher/sign-in")


def test_a_wrong_key_is_refused(client: TestClient) -> None:
    answer = sign_in(client, "wrong")
    assert answer.status_code == 401
    assert "not the key or the link of this study" in answer.text
    assert "set-cookie" not in answer.headers


def test_the_key_opens_the_pages_and_the_cookie_is_guarded(client: TestClient, store: Store) -> None:
    answer = sign_in(client, store.run(ensure_secret("researcher")))
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "secure" not in cookie
    assert store.run(ensure_secret("researcher")).lower() not in cookie
    assert client.get("/researcher").status_code == 200


def test_the_whole_link_that_serve_prints_signs_in_like_the_key(client: TestClient, store: Store) -> None:
    link = researcher_link("http://127.0.0.1:8000", store.run(ensure_secret("researcher")))
    assert sign_in(client, f" {link}\n").status_code == 303
    answer = sign_in(client, "http://127.0.0.1:8000/researcher/sign-in#key=")
    assert answer.status_code == 401
    assert "This is not the key or the link of this study." in answer.text


def test_under_https_the_cookie_is_secure(study: Study, store: Store) -> None:
    for app, base in (
        (create_app(study, store, base_url="https://study.example.org"), "http://testserver"),
        (create_app(study, store), "https://testserver"),
    ):
        client = TestClient(app, base_url=base, follow_redirects=False)
        assert (
            "secure" in sign_in(client, store.run(ensure_secret("researcher"))).headers["set-cookie"].lower()
        )


def test_a_restart_signs_nobody_out(signed_in: TestClient, study: Study, store: Store) -> None:
    restarted = TestClient(create_app(study, store), follow_redirects=False, cookies=signed_in.cookies)
    assert restarted.get("/researcher").status_code == 200


def test_a_forged_cookie_opens_nothing(signed_in: TestClient) -> None:
    (name,) = signed_in.cookies.keys()
    value = signed_in.cookies[name]
    signed_in.cookies.clear()
    signed_in.cookies.set(name, value[:-2] + ("aa" if value[-2:] != "aa" else "bb"))
    assert signed_in.get("/researcher").status_code == 303


def test_a_month_later_the_key_is_asked_for_again(
    signed_in: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = time.time() + 31 * 24 * 3600
    monkeypatch.setattr(time, "time", lambda: later)
    assert signed_in.get("/researcher").status_code == 303


def test_wrong_keys_slow_their_address_down_and_do_not_lock_the_right_key_out(
    client: TestClient, store: Store
) -> None:
    for _ in range(3):
        assert sign_in(client, "wrong").status_code == 401
    for _ in range(2):
        assert client.get("/api/study", headers={"authorization": "Bearer wrong"}).status_code == 401
    started = time.perf_counter()
    assert sign_in(client, "wrong").status_code == 401
    assert time.perf_counter() - started >= 0.5
    right = {"authorization": f"Bearer {store.run(ensure_secret('researcher'))}"}
    assert client.get("/api/study", headers=right).status_code == 200
    assert sign_in(client, store.run(ensure_secret("researcher"))).status_code == 303


def test_a_form_without_the_sittings_mark_changes_nothing(signed_in: TestClient, store: Store) -> None:
    for mark in ("", "made-up", "é"):
        answer = signed_in.post("/researcher/links", data={"count": "1", "csrf_token": mark})
        assert answer.status_code == 403
        assert "too old" in answer.text
    assert store.run(fetch_annotators()) == ()


def test_the_mark_of_another_sitting_is_refused(signed_in: TestClient, study: Study, store: Store) -> None:
    other = TestClient(create_app(study, store), follow_redirects=False)
    sign_in(other, store.run(ensure_secret("researcher")))
    mark = mark_in(other.get("/researcher").text)
    assert signed_in.post("/researcher/links", data={"count": "1", "csrf_token": mark}).status_code == 403


def test_signing_out_ends_the_session_everywhere(signed_in: TestClient, study: Study, store: Store) -> None:
    stolen = dict(signed_in.cookies)
    mark = mark_in(signed_in.get("/researcher").text)
    other = TestClient(create_app(study, store), follow_redirects=False)
    sign_in(other, store.run(ensure_secret("researcher")))
    assert signed_in.post("/researcher/sign-out", data={"csrf_token": mark}).status_code == 303
    elsewhere = TestClient(create_app(study, store), follow_redirects=False, cookies=stolen)
    for client in (elsewhere, other):
        answer = client.get("/researcher")
        assert (answer.status_code, answer.headers["location"]) == (303, "/researcher/sign-in")
    assert sign_in(other, store.run(ensure_secret("researcher"))).status_code == 303
    assert other.get("/researcher").status_code == 200


def test_another_process_honours_a_new_key_at_once(signed_in: TestClient, study: Study, store: Store) -> None:
    old = store.run(ensure_secret("researcher"))
    with open_store(study.database) as elsewhere:
        change_key(elsewhere, "researcher")
    assert signed_in.get("/researcher").status_code == 303
    assert sign_in(signed_in, old).status_code == 401
    assert signed_in.get("/api/study", headers={"authorization": f"Bearer {old}"}).status_code == 401
    new = store.run(ensure_secret("researcher"))
    assert new != old
    assert sign_in(signed_in, new).status_code == 303
    assert signed_in.get("/researcher").status_code == 200


def test_a_cookie_of_an_earlier_version_leads_to_the_sign_in(signed_in: TestClient, store: Store) -> None:
    (name,) = signed_in.cookies.keys()
    old = URLSafeTimedSerializer(store.run(ensure_secret("cookies")), salt="researcher").dumps("sitting")
    signed_in.cookies.clear()
    signed_in.cookies.set(name, str(old))
    assert signed_in.get("/researcher").status_code == 303


def test_signing_out_forgets_the_browser(signed_in: TestClient) -> None:
    mark = mark_in(signed_in.get("/researcher").text)
    assert signed_in.post("/researcher/sign-out", data={"csrf_token": mark}).status_code == 303
    assert signed_in.get("/researcher").status_code == 303


def test_two_studies_on_one_host_do_not_share_cookies(signed_in: TestClient, tmp_path: Path) -> None:
    from tests.server.conftest import prepared_store
    from tests.server.studies import make_study

    study = make_study(tmp_path / "other")
    with prepared_store(study) as store:
        other = TestClient(create_app(study, store), follow_redirects=False, cookies=signed_in.cookies)
        assert other.get("/researcher").status_code == 303
        sign_in(other, store.run(ensure_secret("researcher")))
        assert len(other.cookies) == 2
