"""What annotators send for a form is checked question by question, and counted without their names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import Json
from duologue.protocols import FormValues
from duologue.studies import FormSettings, WordingTable, count_answers, read_answers

WORDING = WordingTable()
FORM = FormSettings.model_validate(
    {
        "name": "you",
        "when": "before",
        "title": "About you",
        "questions": [
            {"name": "age", "kind": "number", "label": "Age", "min": 18, "max": 99, "required": True},
            {"name": "work", "kind": "one", "label": "Work", "choices": ["Never", "For years"]},
            {"name": "langs", "kind": "several", "label": "Languages", "choices": ["en", "de", "fa"]},
            {"name": "notes", "kind": "text", "label": "Notes", "max_chars": 10},
        ],
    }
)
GOOD = {"q.age": ["31"], "q.work": ["Never"], "q.langs": ["fa", "en"], "q.notes": [" hi "]}


def read(**fields: list[str]) -> tuple[dict[str, Json], dict[str, str]]:
    sent = GOOD | {f"q.{name}": values for name, values in fields.items()}
    found = read_answers(FORM, FormValues(sent), WORDING)
    return dict(found.answers), dict(found.problems)


def test_a_form_is_read_with_several_choices_in_the_order_of_the_page() -> None:
    assert read() == ({"age": 31, "work": "Never", "langs": ["en", "fa"], "notes": "hi"}, {})


def test_what_is_optional_may_be_left_out() -> None:
    answers, problems = read(work=[], langs=[], notes=["  "])
    assert (answers["work"], answers["langs"], answers["notes"], problems) == (None, None, None, {})


@pytest.mark.parametrize(
    ("sent", "number"), [("31", 31), ("31.5", 31.5), ("31,5", 31.5), (" 18 ", 18), ("3.1e1", 31)]
)
def test_numbers_are_read_as_people_write_them(sent: str, number: float) -> None:
    assert read(age=[sent]) == ({**read()[0], "age": number}, {})


@pytest.mark.parametrize(
    ("field", "sent", "said"),
    [
        ("age", [], WORDING.form_required),
        ("age", ["  "], WORDING.form_required),
        ("age", ["old"], WORDING.form_number),
        ("age", ["nan"], WORDING.form_number),
        ("age", ["inf"], WORDING.form_number),
        ("age", ["3_1"], WORDING.form_number),
        ("age", ["1" * 400], WORDING.form_number),
        ("age", ["17"], "Please write a number from 18 to 99."),
        ("work", ["Sometimes"], WORDING.form_choose),
        ("work", ["Never", "For years"], WORDING.form_choose),
        ("langs", ["en", "tlh"], WORDING.form_choose),
        ("notes", ["x" * 11], "Please write at most 10 characters."),
    ],
)
def test_what_is_not_right_is_said_beside_its_question(field: str, sent: list[str], said: str) -> None:
    assert read(**{field: sent})[1] == {field: said}


@pytest.mark.parametrize(("bound", "said"), [("min", "at least 5"), ("max", "at most 5")])
def test_a_bound_on_one_side_is_said_alone(bound: str, said: str) -> None:
    question = {"name": "n", "kind": "number", "label": "N", bound: 5}
    form = FormSettings.model_validate({"name": "f", "when": "after", "title": "F", "questions": [question]})
    sent = "4" if bound == "min" else "6"
    assert said in read_answers(form, FormValues({"q.n": sent}), WORDING).problems["n"]


@given(st.dictionaries(st.sampled_from(sorted(GOOD)), st.lists(st.text(max_size=20), max_size=4)))
def test_nothing_that_is_sent_gets_past_the_question(fields: dict[str, list[str]]) -> None:
    found = read_answers(FORM, FormValues(fields), WORDING)
    for question in FORM.questions:
        answer = found.answers.get(question.name)
        if question.name in found.problems or answer is None:
            continue
        if isinstance(answer, int | float):
            assert question.allows(answer)
        elif isinstance(answer, list):
            assert answer
            assert set(map(str, answer)) <= set(question.choices)
        else:
            assert answer in question.choices or len(str(answer)) <= question.max_chars


def test_answers_are_counted_per_question() -> None:
    filled = [("you", read()[0]), ("you", {"age": 18, "work": "Never", "langs": ["en"], "notes": None})]
    age, work, langs, notes = count_answers([FORM], filled)
    assert age.numbers is not None
    assert (age.numbers.least, age.numbers.median, age.numbers.most) == (18, 24.5, 31)
    assert work.choices == {"Never": 2, "For years": 0}
    assert langs.choices == {"en": 2, "de": 0, "fa": 1}
    assert (notes.answered, notes.unanswered, notes.choices) == (1, 1, {})


def test_what_an_earlier_revision_asked_is_counted_too() -> None:
    filled: list[tuple[str, dict[str, Json]]] = [("you", {"work": "Once"}), ("old", {"size": "big"})]
    found = {(one.form, one.question): one for one in count_answers([FORM], filled)}
    assert found["you", "work"].choices == {"Never": 0, "For years": 0, "Once": 1}
    assert (found["old", "size"].answered, found["old", "size"].label) == (1, "size")
    assert found["you", "age"].numbers is None
