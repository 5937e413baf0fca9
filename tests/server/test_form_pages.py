"""Forms about the annotator, from page to database: before the items, after them, with errors."""

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from duologue.store import Store, fetch_annotators, fetch_filled_forms, invite_annotators
from tests.server.visits import Visitor, hidden_fields, text_of

Serve = Callable[..., tuple[TestClient, Store]]

FORMS = """
[annotators]
max_judgments = 1

[[forms]]
name = "you"
when = "before"
title = "About <you>"
text = "We ask everybody this."

[[forms.questions]]
name = "age"
kind = "number"
label = "Age"
min = 18
required = true

[[forms.questions]]
name = "langs"
kind = "several"
label = "Languages"
choices = ["English", "Deutsch & mehr", "فارسی"]

[[forms.questions]]
name = "work"
kind = "one"
label = "Work"
choices = ["yes", "no"]

[[forms]]
name = "end"
when = "after"
title = "Afterwards"
lang = "de"
dir = "ltr"

[[forms.questions]]
name = "notes"
kind = "text"
label = "Anmerkungen"
max_chars = 20
"""


@pytest.fixture
def served(serve: Serve) -> tuple[Visitor, Store]:
    client, store = serve(onboarding=0, rest=FORMS)
    return Visitor(client, store.run(invite_annotators())[0].token), store


def fill(visitor: Visitor, form: str, **fields: str | list[str]) -> object:
    sent = {"form": form} | {f"q.{name}": value for name, value in fields.items()}
    return visitor.client.post(f"/a/{visitor.token}/form", data=sent)


def answers(store: Store) -> list[tuple[str, object]]:
    return [(one.form, dict(one.answers or {})) for one in store.stream(fetch_filled_forms())]


def test_a_sitting_goes_through_its_stations_in_order(served: tuple[Visitor, Store]) -> None:
    visitor, store = served
    page = visitor.consent()
    assert "About <you>" in text_of(page.text)
    assert "<you>" not in page.text
    assert 'data-form="fill-in"' in page.text
    assert fill(visitor, "you", age="31", langs=["فارسی", "English"], work="no").status_code == 303  # type: ignore[attr-defined]
    page = visitor.open("?saved")
    assert "assignment" in hidden_fields(page.text)
    assert visitor.submit(page).status_code == 303
    page = visitor.open()
    assert '<main class="letter asking" lang="de" dir="ltr">' in page.text
    assert "Thank you!" not in page.text
    fill(visitor, "end", notes="Danke")
    assert "Thank you!" in visitor.open().text
    expected = {"age": 31, "langs": ["English", "فارسی"], "work": "no"}
    assert answers(store) == [("you", expected), ("end", {"notes": "Danke"})]


def test_after_the_last_answer_script_is_sent_the_form(served: tuple[Visitor, Store]) -> None:
    visitor, _store = served
    visitor.consent()
    fill(visitor, "you", age="31")
    sent = visitor.submit(visitor.open(), script=True)
    assert sent.status_code == 200
    assert 'data-form="fill-in"' in sent.text
    assert "<html" not in sent.text


def test_what_is_wrong_stands_beside_its_question_and_what_was_typed_is_kept(
    served: tuple[Visitor, Store],
) -> None:
    visitor, store = served
    visitor.consent()
    again = fill(visitor, "you", age="seven", langs=["Deutsch & mehr"], work="yes")
    assert again.status_code == 422  # type: ignore[attr-defined]
    page: str = again.text  # type: ignore[attr-defined]
    assert 'id="question-1-problem">Please write a number.</p>' in page
    assert 'aria-invalid="true" aria-describedby="question-1-problem"' in page
    assert 'value="seven"' in page
    assert 'value="Deutsch &amp; mehr" checked' in page
    assert 'value="yes" checked' in page
    assert 'value="no" checked' not in page
    assert answers(store) == []


def test_a_required_question_cannot_be_left_out(served: tuple[Visitor, Store]) -> None:
    visitor, store = served
    visitor.consent()
    again = fill(visitor, "you")
    assert again.status_code == 422  # type: ignore[attr-defined]
    page: str = again.text  # type: ignore[attr-defined]
    assert "Please look at the marked questions again." in page
    assert "written" not in page  # nothing was
    assert fill(visitor, "you", work="yes").status_code == 422  # type: ignore[attr-defined]
    assert answers(store) == []


def test_a_form_is_stored_once_however_often_it_is_sent(served: tuple[Visitor, Store]) -> None:
    visitor, store = served
    visitor.consent()
    for age in ("31", "32", "wrong"):
        sent = fill(visitor, "you", age=age)
        assert sent.status_code == 303  # type: ignore[attr-defined]
        assert sent.headers["location"].endswith("" if age == "wrong" else "?saved")  # type: ignore[attr-defined]
    assert answers(store) == [("you", {"age": 31, "langs": None, "work": None})]


def test_a_form_that_is_not_due_is_not_stored(served: tuple[Visitor, Store]) -> None:
    visitor, store = served
    fill(visitor, "you", age="31")
    assert store.run(fetch_annotators())[0].consented_at is None
    visitor.consent()
    assert fill(visitor, "end", notes="early").headers["location"].endswith("?unsaved")  # type: ignore[attr-defined]
    assert answers(store) == []
    assert "About <you>" in text_of(visitor.open().text)


def test_a_form_that_the_study_does_not_have_is_refused(served: tuple[Visitor, Store]) -> None:
    visitor, store = served
    visitor.consent()
    assert fill(visitor, "other", age="31").status_code == 404  # type: ignore[attr-defined]
    assert answers(store) == []


def test_an_answer_makes_a_cohort_unless_the_link_did(serve: Serve) -> None:
    rest = FORMS.replace("max_judgments = 1", 'max_judgments = 1\ncohort_from = "you.work"')
    cohorts = (
        '\n[[cohorts]]\nname = "expert"\nanswers = ["yes"]\n[[cohorts]]\nname = "novice"\nanswers = ["no"]\n'
    )
    client, store = serve(onboarding=0, rest=rest + cohorts)
    by_answer = Visitor(client, store.run(invite_annotators())[0].token)
    by_link = Visitor(client, store.run(invite_annotators(cohort="novice"))[0].token)
    neither = Visitor(client, store.run(invite_annotators())[0].token)
    for visitor, fields in ((by_answer, {"work": "yes"}), (by_link, {"work": "yes"}), (neither, {})):
        visitor.consent()
        fill(visitor, "you", age="31", **fields)
    assert [one.cohort for one in store.run(fetch_annotators())] == ["expert", "novice", ""]
