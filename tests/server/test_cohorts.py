"""Cohorts and forms as the researcher sees them: links, open links that cannot be changed, counts, tables."""

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from duologue.errors import LinkUnknown
from duologue.server.annotator.open_link import cohort_in, cohort_token
from duologue.server.site import Keys
from duologue.store import (
    Store,
    fetch_annotators,
    fetch_looks,
    fill_in_form,
    give_consent,
    invite_annotators,
    withdraw_annotator,
)
from duologue.studies import StudyRules
from tests.server.test_form_pages import FORMS
from tests.server.visits import site_of

Serve = Callable[..., tuple[TestClient, Store]]

COHORTS = """
[[cohorts]]
name = "expert"
annotations_per_item = 2

[[cohorts]]
name = "novice"
"""
REST = FORMS.replace("max_judgments = 1", "max_judgments = 1\nopen_link = true") + COHORTS


@pytest.fixture
def signed_in(serve: Serve) -> tuple[TestClient, Store]:
    client, store = serve(onboarding=0, rest=REST)
    sign_in(client, store)
    return client, store


def sign_in(client: TestClient, store: Store) -> dict[str, str]:
    key = Keys.of(store).researcher
    client.post("/researcher/sign-in", data={"key": key})
    return {"authorization": f"Bearer {key}"}


def caps_of(client: TestClient) -> StudyRules:
    caps = site_of(client).caps
    assert isinstance(caps, StudyRules)
    return caps


def come_by(client: TestClient, store: Store, link: str) -> str:
    """The cohort of whoever comes by an open link."""
    client.cookies.clear()
    assert client.get(link.removeprefix("http://testserver")).status_code == 303
    return store.run(fetch_annotators())[-1].cohort


def test_every_cohort_has_an_open_link_of_its_own(signed_in: tuple[TestClient, Store]) -> None:
    client, store = signed_in
    found = client.get("/api/links", headers=sign_in(client, store)).json()
    assert sorted(found["cohorts"]) == ["expert", "novice"]
    assert come_by(client, store, found["open_link"]) == ""
    assert come_by(client, store, found["cohorts"]["expert"]) == "expert"
    assert come_by(client, store, found["cohorts"]["novice"]) == "novice"


def test_no_visitor_makes_the_link_of_another_cohort(signed_in: tuple[TestClient, Store]) -> None:
    client, store = signed_in
    keys = Keys.of(store)
    token = cohort_token(keys, "novice")
    for wrong in (
        token.replace("novice", "expert"),
        f"expert.{keys.open_link}",
        token[:-1],
        cohort_token(Keys("a", "b", "c", "d"), "expert"),
        cohort_token(keys, "stranger"),
    ):
        assert client.get(f"/open/{wrong}").status_code == 404, wrong
    with pytest.raises(LinkUnknown):
        cohort_in(keys, "\udcff.x")


def test_where_only_cohorts_get_work_there_is_no_link_for_everybody(serve: Serve) -> None:
    rest = REST.replace('name = "novice"', 'name = "novice"\nannotations_per_item = 1')
    client, store = serve(onboarding=0, rest=rest)
    found = client.get("/api/links", headers=sign_in(client, store)).json()
    assert (found["open_link"], sorted(found["cohorts"])) == (None, ["expert", "novice"])
    assert client.get(f"/open/{Keys.of(store).open_link}").status_code == 404


def test_links_are_made_for_a_cohort_of_the_study_only(signed_in: tuple[TestClient, Store]) -> None:
    client, store = signed_in
    headers = sign_in(client, store)
    made = client.post("/api/annotators", headers=headers, json={"count": 2, "cohort": "expert"})
    assert made.status_code == 201
    assert [one.cohort for one in store.run(fetch_annotators())] == ["expert", "expert"]
    refused = client.post("/api/annotators", headers=headers, json={"cohort": "experts"})
    assert refused.status_code == 404
    assert "there is no cohort 'experts'" in refused.json()["error"]["message"]
    page = client.get("/researcher/links").text
    token = page.partition('name="csrf_token" value="')[2].partition('"')[0]
    assert '<option value="novice">novice</option>' in page
    client.post("/researcher/links", data={"csrf_token": token, "count": "1", "cohort": "novice"})
    assert store.run(fetch_annotators())[-1].cohort == "novice"


def test_the_dashboard_shows_how_far_each_cohort_has_come(signed_in: tuple[TestClient, Store]) -> None:
    client, store = signed_in
    (one,) = store.run(invite_annotators(cohort="expert"))
    store.run(give_consent(one.token, caps_of(client)))
    page = client.get("/researcher").text
    assert '<small class="part">expert: 0 of 8</small>' in page
    row = '<th scope="row">expert</th><td class="number">1</td><td class="number">0</td>'
    assert row in page
    assert '<th scope="row">novice</th><td class="number">0</td>' in page
    found = client.get("/api/progress", headers=sign_in(client, store)).json()[0]
    assert (found["wanted"], found["cohorts"][0]["wanted"]) == (12, 8)


def test_answers_are_shown_as_counts_and_never_beside_a_name(signed_in: tuple[TestClient, Store]) -> None:
    client, store = signed_in
    for label, age in (("Ada", 31), ("Grace", 85), ("Gone", 40)):
        (one,) = store.run(invite_annotators(labels=[label]))
        store.run(give_consent(one.token, caps_of(client)))
        answers = {"age": age, "langs": ["English"], "work": None}
        store.run(fill_in_form(one.token, caps_of(client), form="you", answers=answers))
    store.run(withdraw_annotator(one.annotator, reason="asked to"))
    page = client.get("/researcher/forms").text
    assert "2 answered, 0 left it out; from 31 to 85, median 58." in page
    assert '<th scope="row">English</th><td class="number">2</td>' in page
    assert "Ada" not in page
    counts = client.get("/api/forms", headers=sign_in(client, store)).json()
    assert [(one["question"], one["answered"]) for one in counts][:2] == [("age", 2), ("langs", 2)]
    rows = client.get("/researcher/forms.csv").text.splitlines()
    assert rows[0] == (
        "annotator,annotator_kind,cohort,form,revision,at,withdrawn,you.age,you.langs,you.work,end.notes"
    )
    assert len(rows) == 4
    assert rows[3].endswith(",true,,,,")
    assert "English" in client.get("/researcher/forms.jsonl").text
    table = client.get("/api/forms/answers?format=csv", headers=sign_in(client, store))
    assert table.text.splitlines() == rows
    assert client.get("/researcher/forms.xls").status_code == 422
    assert store.run(fetch_looks()) == ()
