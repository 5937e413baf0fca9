from starlette.testclient import TestClient


def test_static_files_are_cached_for_ever_under_their_hash(client: TestClient) -> None:
    address = client.app.state.site.static.address("annotator.css")  # type: ignore[attr-defined]
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]
    assert client.get("/static/old/annotator.css").headers["cache-control"] == "no-cache"
    assert client.get("/static/old/../app.py").status_code == 404
    assert client.get("/static/old/nothing.css").status_code == 404
