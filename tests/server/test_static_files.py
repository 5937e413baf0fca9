from pathlib import Path

import pytest
from starlette.testclient import TestClient

from duologue.errors import ProtocolError
from duologue.server.pages import Pages
from duologue.server.static_files import StaticFiles
from tests.server.visits import site_of


def test_static_files_are_cached_for_ever_under_their_hash(client: TestClient) -> None:
    address = site_of(client).static.address("annotator.css")
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]
    assert client.get("/static/old/annotator.css").headers["cache-control"] == "no-cache"
    assert client.get("/static/old/../app.py").status_code == 404
    assert client.get("/static/old/nothing.css").status_code == 404


def test_a_protocol_has_files_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "page.css").write_text(".mine {}", encoding="utf-8")
    with_own, without = StaticFiles(tmp_path / "static"), StaticFiles(tmp_path / "nothing")
    assert "protocol/page.css" in with_own
    assert "protocol/page.css" not in without
    assert with_own.version != without.version


def test_a_template_with_a_name_of_ours_is_refused(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = site_of(client)
    (tmp_path / "chat.html").write_text("", encoding="utf-8")
    monkeypatch.setattr(type(site.study.protocol), "templates", classmethod(lambda cls: tmp_path))
    with pytest.raises(ProtocolError, match=r"has a template that is called as one of ours \(chat.html\)"):
        Pages(site.study, site.static)
