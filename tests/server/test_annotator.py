from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from duologue.store import (
    Store,
    count_flags,
    ensure_secret,
    fetch_annotators,
    fetch_judgments,
    fetch_leases,
    fetch_progress,
    invite_annotators,
    revoke_link,
)
from tests.server.visits import PART, Visitor, assignment_in, hidden_fields, site_of, text_of

Serve = Callable[..., tuple[TestClient, Store]]


def test_consent_comes_first_and_hands_out_nothing(visitor: Visitor, store: Store) -> None:
    page = visitor.open()
    assert page.status_code == 200
    assert "I agree" in page.text
    assert "choice" not in page.text
    assert store.run(fetch_leases()) == ()


def test_after_consent_two_dialogues_and_the_question_are_shown(visitor: Visitor) -> None:
    page = visitor.consent()
    assert "Who would you prefer to talk to for a long conversation?" in page.text
    assert page.text.count('class="turn judged"') == 4
    assert page.text.count('class="turn partner"') == 4
    assert "Comparison 1 of 4" in page.text


def test_reloading_shows_the_same_assignment(visitor: Visitor) -> None:
    first = visitor.consent()
    assert assignment_in(visitor.open().text) == assignment_in(first.text)


def test_a_plain_form_is_stored_and_leads_to_the_next_comparison(visitor: Visitor, store: Store) -> None:
    page = visitor.consent()
    answer = visitor.submit(page)
    assert answer.status_code == 303
    following = visitor.client.get(answer.headers["location"])
    assert "Saved" in following.text
    assert assignment_in(following.text) != assignment_in(page.text)
    (judgment,) = store.stream(fetch_judgments())
    assert (judgment.answer, judgment.reason, judgment.seconds_kind) == ({"side": 1}, "livelier", "wall")


def test_with_script_the_answer_carries_the_next_main(visitor: Visitor, store: Store) -> None:
    page = visitor.consent()
    following = visitor.submit(page, script=True, seconds="0.001")
    assert following.status_code == 200
    assert following.text.startswith("<main")
    assert "<html" not in following.text
    assert assignment_in(following.text) != assignment_in(page.text)
    (judgment,) = store.stream(fetch_judgments())
    assert (judgment.seconds, judgment.seconds_kind) == (0.001, "visible")


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "soon", "1e300"])
def test_seconds_that_cannot_be_are_replaced_by_wall_time(
    visitor: Visitor, store: Store, seconds: str
) -> None:
    visitor.submit(visitor.consent(), script=True, seconds=seconds)
    assert next(iter(store.stream(fetch_judgments()))).seconds_kind == "wall"


def test_sending_twice_stores_once_and_leads_to_the_same_place(visitor: Visitor, store: Store) -> None:
    page = visitor.consent()
    first = visitor.submit(page, script=True)
    again = visitor.submit(page, script=True, choice="2")
    assert assignment_in(again.text) == assignment_in(first.text)
    (judgment,) = store.stream(fetch_judgments())
    assert judgment.answer == {"side": 1}


def test_a_form_without_a_choice_comes_back_with_what_was_typed(visitor: Visitor, store: Store) -> None:
    page = visitor.consent()
    answer = visitor.submit(page, choice="", reason="because <of> it")
    assert answer.status_code == 422
    assert "Please choose one of the answers." in answer.text
    assert "because &lt;of&gt; it</textarea>" in answer.text
    assert assignment_in(answer.text) == assignment_in(page.text)
    assert list(store.stream(fetch_judgments())) == []


def test_with_script_a_wrong_answer_is_told_as_json(visitor: Visitor) -> None:
    answer = visitor.submit(visitor.consent(), script=True, choice="3")
    assert answer.status_code == 422
    assert answer.json() == {
        "error": {"code": "answer", "message": "Please choose one of the answers.", "field": "choice"}
    }


def test_a_tie_is_refused_unless_the_study_offers_it(visitor: Visitor, serve: Serve) -> None:
    assert visitor.submit(visitor.consent(), choice="tie").status_code == 422
    client, store = serve(rest="[acute]\nties = true\n")
    other = Visitor(client, store.run(invite_annotators(1))[0].token)
    page = other.consent()
    assert "No difference" in page.text
    assert other.submit(page, choice="tie").status_code == 303
    assert next(iter(store.stream(fetch_judgments()))).answer == {"side": None}


def test_a_required_reason_is_required(serve: Serve) -> None:
    client, store = serve(rest='[acute]\nreason = "required"\n')
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    page = visitor.consent()
    answer = visitor.submit(page, reason="  \n ")
    assert answer.status_code == 422
    assert "Please say in a few words why." in answer.text
    assert 'value="1" required checked' in answer.text
    assert visitor.submit(page, reason="it listens").status_code == 303


def test_a_study_without_reasons_shows_no_field_for_them(serve: Serve) -> None:
    client, store = serve(rest='[acute]\nreason = "off"\n')
    assert "<textarea" not in Visitor(client, store.run(invite_annotators(1))[0].token).consent().text


def test_the_walk_ends_with_thanks_and_a_code(visitor: Visitor, store: Store) -> None:
    page = visitor.consent()
    for _ in range(4):
        page = visitor.submit(page, script=True)
    assert "Thank you!" in page.text
    assert "<code" in page.text
    assert len(list(store.stream(fetch_judgments()))) == 4
    assert visitor.open().text.count("<code") == 1


def test_an_unknown_link_gets_a_page_that_says_so(client: TestClient) -> None:
    answer = client.get("/a/nobody-has-this-token")
    assert answer.status_code == 404
    assert "This link is not known" in answer.text


def test_a_revoked_link_gets_a_page_that_says_so(visitor: Visitor, store: Store) -> None:
    page = visitor.consent()
    store.run(revoke_link(store.run(fetch_annotators())[0].id))
    assert visitor.open().status_code == 410
    refused = visitor.submit(page)
    assert refused.status_code == 410
    assert "does not work any more" in refused.text
    assert list(store.stream(fetch_judgments())) == []


def test_nobody_can_answer_another_annotators_assignment(visitor: Visitor, store: Store) -> None:
    page = visitor.consent()
    other = Visitor(visitor.client, store.run(invite_annotators(1))[0].token)
    other.consent()
    assert other.submit(page).status_code == 404
    assert list(store.stream(fetch_judgments())) == []


def test_nobody_can_answer_an_assignment_that_is_not(visitor: Visitor) -> None:
    page = visitor.consent()
    assert visitor.submit(page, assignment="made-up").status_code == 404
    assert visitor.submit(page, assignment="").status_code == 404


def test_consenting_twice_is_consenting_once(visitor: Visitor, store: Store) -> None:
    first = visitor.consent()
    assert assignment_in(visitor.consent().text) == assignment_in(first.text)
    assert len(store.run(fetch_leases())) <= 1


def test_text_is_shown_exactly_as_written_and_escaped(serve: Serve) -> None:
    texts = (
        "<script>alert(1)</script>",
        " two  spaces\n\n\tand a tab ",
        "שלום & \"quotes\" 'n' {{ 7*7 }}",
        "e\u0301",
    )
    client, store = serve(texts=texts)
    page = Visitor(client, store.run(invite_annotators(1))[0].token).consent().text
    assert "<script>alert" not in page
    shown = text_of(page)
    for text in texts:
        assert text in shown
    assert page.count('class="text" dir="auto"') == 8


def test_every_string_comes_from_the_studys_wording(serve: Serve) -> None:
    rest = (
        '[wording]\nspeaker = "Sprecher"\npartner = "Gegenüber"\nsubmit = "Absenden"\n'
        'progress = "Vergleich {number} von {total}"\nconversation = "Gespräch"\n'
    )
    client, store = serve(study='lang = "de"\ndir = "rtl"', rest=rest)
    page = Visitor(client, store.run(invite_annotators(1))[0].token).consent().text
    assert '<html lang="de" dir="rtl">' in page
    for words in ("Sprecher 1", "Sprecher 2", "Gegenüber", "Absenden", "Vergleich 1 von 2", "Gespräch 2"):
        assert words in page
    for words in ("Speaker", "Partner", "Submit", "Comparison", "Conversation 1"):
        assert words not in text_of(page)


def test_line_ends_of_a_reason_are_stored_the_same_with_and_without_script(
    visitor: Visitor, store: Store
) -> None:
    visitor.submit(visitor.consent(), reason="first\r\nsecond")
    assert next(iter(store.stream(fetch_judgments()))).reason == "first\nsecond"


def test_a_reason_with_a_nul_is_refused_and_nothing_is_stored(visitor: Visitor, store: Store) -> None:
    assert visitor.submit(visitor.consent(), script=True, reason="a\0b").status_code == 422
    assert list(store.stream(fetch_judgments())) == []


def test_every_page_load_has_its_own_submission_key(visitor: Visitor) -> None:
    first = hidden_fields(visitor.consent().text)
    second = hidden_fields(visitor.open().text)
    assert first["key"] != second["key"]


def test_after_a_restart_an_answer_to_a_page_from_before_is_stored(
    visitor: Visitor, store: Store, serve: Serve
) -> None:
    from duologue.server import create_app

    page = visitor.consent()
    site = site_of(visitor.client)
    restarted = Visitor(TestClient(create_app(site.study, store), follow_redirects=False), visitor.token)
    assert restarted.submit(page).status_code == 303
    assert len(list(store.stream(fetch_judgments()))) == 1


def test_asking_with_script_for_a_failing_page_gives_json(client: TestClient) -> None:
    answer = client.post("/a/unknown/submit", data={"choice": "1"}, headers=PART)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "link-unknown"


def test_wording_with_braces_of_its_own_is_shown_as_it_is(serve: Serve) -> None:
    client, store = serve(rest='[wording]\nprogress = "{n} {number}/{total} {"\n')
    assert "{n} 1/2 {" in Visitor(client, store.run(invite_annotators(1))[0].token).consent().text


ONE_EACH = "[annotators]\nmax_judgments = 1\n"


def test_of_82_people_for_70_places_nobody_is_onboarded_without_being_given_an_item(serve: Serve) -> None:
    client, store = serve(per_matchup=70, rest=ONE_EACH)
    visitors = [Visitor(client, invitation.token) for invitation in store.run(invite_annotators(82))]
    assert all("I agree" in visitor.open().text for visitor in visitors)
    pages = [(visitor, visitor.consent()) for visitor in visitors]
    working = [(visitor, page) for visitor, page in pages if "choice" in page.text]
    assert len(working) == 70
    turned_away = [page for _, page in pages if "choice" not in page.text]
    assert all("All places are taken" in page.text for page in turned_away)
    for visitor, page in working:  # onboarding, then the item
        for _ in range(2):
            page = visitor.client.get(visitor.submit(page).headers["location"])
        assert "Your completion code" in page.text
    (group,) = store.run(fetch_progress())
    assert group.done + group.excluded == 70  # half of them fail onboarding: whoever does still gets an item
    assert sum(annotator.consented_at is not None for annotator in store.run(fetch_annotators())) == 70


def test_whoever_comes_when_all_places_are_taken_reads_when_to_look_again(serve: Serve) -> None:
    client, store = serve(per_matchup=1, onboarding=0)
    first, second, third = (Visitor(client, one.token) for one in store.run(invite_annotators(3)))
    page = first.consent()
    nothing = second.open()
    assert "All places are taken at the moment" in nothing.text
    assert "Please look again in 30 min." in nothing.text
    assert f'href="/a/{second.token}"' in nothing.text
    first.submit(page)
    assert "This study is complete" in third.open().text


def test_an_answer_that_came_before_anybody_could_read_is_flagged_for_the_researcher(serve: Serve) -> None:
    client, store = serve(onboarding=0, texts=("a word " * 200, "and more " * 100))
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    visitor.submit(visitor.consent(), script=True, seconds="0.01")
    assert store.run(count_flags()) == {"too-fast": 1}
    key = store.run(ensure_secret("researcher"))
    (flag,) = client.get("/api/flags", headers={"authorization": f"Bearer {key}"}).json()
    assert (flag["rule"], flag["judgments"], flag["excludes"]) == ("too-fast", 1, False)
    client.post("/researcher/sign-in", data={"key": key})
    page = text_of(client.get("/researcher").text)
    assert "too-fast 1 judgment: given faster than the words shown can be read" in page
    assert "This alone excludes nothing in this study." in page


def test_a_study_may_exclude_what_was_too_fast(serve: Serve) -> None:
    client, store = serve(
        onboarding=0, texts=("a word " * 200, "and more"), rest='[screening]\nexclude = ["too-fast"]\n'
    )
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    visitor.submit(visitor.consent())
    (group,) = store.run(fetch_progress())
    assert (group.done, group.excluded) == (0, 1)
