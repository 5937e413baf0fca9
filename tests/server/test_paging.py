"""Long lists on the researcher's pages are shown a page at a time, and searched by the server."""

import re

import pytest
from starlette.testclient import TestClient

from duologue.server.researcher.paging import PAGE_ROWS
from duologue.store import Store, ensure_secret, fetch_annotator, fetch_annotators, invite_annotators
from tests.server.test_researcher import Researcher


@pytest.fixture
def researcher(client: TestClient, store: Store) -> Researcher:
    store.run(invite_annotators(labels=[f"Person {number:03}" for number in range(2 * PAGE_ROWS + 50)]))
    return Researcher(client, store)


def people(page: str) -> list[str]:
    """The annotators in a list, each once."""
    return list(dict.fromkeys(re.findall(r"Person \d{3}", page)))


@pytest.mark.parametrize("path", ["/annotators", "/links"])
def test_pages_of_a_list_together_show_everybody_once(researcher: Researcher, path: str) -> None:
    shown = [people(researcher.page(f"{path}?page={number}")) for number in (1, 2, 3)]
    assert [len(names) for names in shown] == [PAGE_ROWS, PAGE_ROWS, 50]
    assert [name for names in shown for name in names] == [
        f"Person {number:03}" for number in range(2 * PAGE_ROWS + 50)
    ]
    assert people(researcher.page(path)) == shown[0]


@pytest.mark.parametrize("path", ["/annotators", "/links"])
def test_links_lead_to_the_other_pages_and_say_where_one_is(researcher: Researcher, path: str) -> None:
    first, middle, last = (researcher.page(f"{path}?page={number}") for number in (1, 2, 3))
    assert "1 to 100 of 250" in first
    assert "Page 2 of 3" in middle
    assert f'href="/researcher{path}?page=3" rel="next"' in middle
    assert f'href="/researcher{path}" rel="prev"' in middle
    assert 'rel="prev"' not in first
    assert 'rel="next"' not in last


@pytest.mark.parametrize("given", ["99", "999999999999", "9" * 5000])
def test_page_after_the_last_is_the_last(researcher: Researcher, given: str) -> None:
    assert people(researcher.page(f"/annotators?page={given}"))[-1] == "Person 249"


@pytest.mark.parametrize("given", ["0", "-1", "two", "", "²", "1.5"])
def test_page_that_is_no_number_is_the_first(researcher: Researcher, given: str) -> None:
    assert people(researcher.page(f"/annotators?page={given}"))[0] == "Person 000"


def test_search_finds_by_name_and_keeps_to_what_was_found(researcher: Researcher) -> None:
    page = researcher.page("/annotators?search=person+1")
    assert people(page) == [f"Person {number}" for number in range(100, 200)]
    assert "1 to 100 of 100 found" in page
    assert 'value="person 1"' in page
    assert people(researcher.page("/links?search=son%20249")) == ["Person 249"]


def test_search_that_finds_nothing_says_so_and_leads_back(researcher: Researcher) -> None:
    page = researcher.page("/annotators?search=%3Cb%3Enobody%00")
    assert "Nothing was found." in page
    assert "<b>nobody" not in page
    assert '<a href="/researcher/annotators">Show all</a>' in page


def test_search_is_kept_from_page_to_page(researcher: Researcher) -> None:
    page = researcher.page("/annotators?search=person")
    assert 'href="/researcher/annotators?search=person&amp;page=2"' in page


def test_revoking_a_link_leads_back_to_its_place_in_the_list(researcher: Researcher, store: Store) -> None:
    annotator = store.run(fetch_annotators())[120]
    page = researcher.page("/links?search=person&page=2")
    form = re.search(rf'/researcher/annotators/{annotator.id}/revoke">(.*?)</form>', page, re.DOTALL)
    assert form
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[1]))
    answer = researcher.act(f"/annotators/{annotator.id}/revoke", **fields)
    assert answer.headers["location"] == "/researcher/links?search=person&page=2"
    assert store.run(fetch_annotator(annotator.id)).is_revoked


def test_leases_and_exclusions_are_searched(researcher: Researcher, store: Store) -> None:
    assert "Nobody is judging anything" in researcher.page("/leases")
    assert "Nothing was found." in researcher.page("/leases?search=nobody")
    assert "Nothing was found." in researcher.page("/judgments?search=nobody")


def test_api_gives_all_rows_or_some_of_them_and_says_how_many(client: TestClient, store: Store) -> None:
    store.run(invite_annotators(labels=[f"Person {number}" for number in range(5)]))
    client.headers["authorization"] = f"Bearer {store.run(ensure_secret('researcher'))}"
    every = client.get("/api/annotators")
    assert len(every.json()) == 5
    some = client.get("/api/annotators", params={"search": "person", "offset": 3, "limit": 1})
    assert [one["label"] for one in some.json()] == ["Person 3"]
    assert some.headers["x-total-count"] == every.headers["x-total-count"] == "5"
    for path in ("leases", "chats", "exclusions"):
        answer = client.get(f"/api/{path}", params={"limit": 5})
        assert (answer.json(), answer.headers["x-total-count"]) == ([], "0")
    assert client.get("/api/annotators", params={"limit": 0}).status_code == 422
