from collections.abc import Callable

from starlette.testclient import TestClient

from duologue.server import change_key
from duologue.store import Store, ensure_secret, fetch_annotators, open_store

Serve = Callable[..., tuple[TestClient, Store]]
OPEN = "[annotators]\nopen_link = true\n"


def test_a_closed_study_has_no_open_link(client: TestClient, store: Store) -> None:
    assert client.get(f"/open/{store.run(ensure_secret('open-link'))}").status_code == 404
    assert store.run(fetch_annotators()) == ()


def test_everybody_who_opens_it_becomes_an_annotator_once_per_browser(serve: Serve) -> None:
    client, store = serve(rest=OPEN)
    link = f"/open/{store.run(ensure_secret('open-link'))}"
    first = client.get(link)
    assert first.status_code == 303
    assert client.get(first.headers["location"]).status_code == 200
    assert client.get(link).headers["location"] == first.headers["location"]
    client.cookies.clear()
    assert client.get(link).headers["location"] != first.headers["location"]
    assert [annotator.kind for annotator in store.run(fetch_annotators())] == ["open", "open"]


def test_a_made_up_open_link_is_refused(serve: Serve) -> None:
    client, store = serve(rest=OPEN)
    for token in ("made-up", "ünïcode"):
        assert client.get(f"/open/{token}").status_code == 404
    assert store.run(fetch_annotators()) == ()


def test_a_forged_cookie_makes_a_new_annotator(serve: Serve) -> None:
    client, store = serve(rest=OPEN)
    link = f"/open/{store.run(ensure_secret('open-link'))}"
    first = client.get(link).headers["location"]
    (name,) = client.cookies.keys()
    client.cookies.clear()
    client.cookies.set(name, "Zm9v.forged")
    assert client.get(link).headers["location"] != first


def test_one_address_cannot_make_annotators_without_end(serve: Serve) -> None:
    client, store = serve(rest=OPEN)
    link = f"/open/{store.run(ensure_secret('open-link'))}"
    statuses = []
    for _ in range(125):
        client.cookies.clear()
        statuses.append(client.get(link).status_code)
    assert statuses == [303] * 120 + [429] * 5
    assert len(store.run(fetch_annotators())) == 120


def test_looking_whether_the_link_is_good_makes_nobody_an_annotator(serve: Serve) -> None:
    client, store = serve(rest=OPEN)
    assert client.head(f"/open/{store.run(ensure_secret('open-link'))}").status_code == 204
    assert store.run(fetch_annotators()) == ()


def test_a_new_open_link_replaces_the_old_one_at_once_and_nobody_loses_their_work(serve: Serve) -> None:
    client, store = serve(rest=OPEN)
    old = store.run(ensure_secret("open-link"))
    home = client.get(f"/open/{old}").headers["location"]
    with open_store(f"sqlite:///{store.where}") as elsewhere:
        change_key(elsewhere, "open-link")
    assert client.get(f"/open/{old}").status_code == 404
    new = client.get(f"/open/{store.run(ensure_secret('open-link'))}")
    assert (new.status_code, new.headers["location"]) == (303, home)
    assert client.get(home).status_code == 200


def test_whoever_comes_by_it_when_all_places_are_taken_is_turned_away_at_once(
    serve: Serve,
) -> None:
    client, store = serve(rest=OPEN, per_matchup=1, onboarding=0)
    link = f"/open/{store.run(ensure_secret('open-link'))}"
    first = client.get(link).headers["location"]
    client.post(f"{first}/consent")
    client.cookies.clear()
    turned_away = client.get(link)
    assert turned_away.status_code == 200
    assert "All places are taken" in turned_away.text
    assert f'href="{link}"' in turned_away.text
    assert not client.cookies
    assert len(store.run(fetch_annotators())) == 1
