"""Forms keep every value of every field, in order."""

from hypothesis import given
from hypothesis import strategies as st

from duologue.protocols import FormValues

pairs = st.lists(st.tuples(st.sampled_from(["chosen", "reason", "key"]), st.text(max_size=3)))


@given(sent=pairs)
def test_all_that_was_sent_is_there_once_and_in_order(sent: list[tuple[str, str]]) -> None:
    form = FormValues.of_pairs(sent)
    assert set(form) == {name for name, _ in sent}
    assert len(form) == len(set(form))
    for name in form:
        values = tuple(value for of, value in sent if of == name)
        assert form.every(name) == values
        assert form[name] == values[-1]
    assert sorted(form.pairs()) == sorted(sent)


@given(sent=pairs)
def test_a_form_survives_being_stored(sent: list[tuple[str, str]]) -> None:
    form = FormValues.of_pairs(sent)
    assert FormValues(form.record()) == form
    assert FormValues(form) == form
    assert form == form.record()


def test_fields_without_a_value_were_not_sent() -> None:
    assert list(FormValues({"chosen": [], "key": "k"})) == ["key"]
    assert FormValues() == FormValues({"chosen": ()})


def test_a_later_form_replaces_all_values_of_a_field() -> None:
    earlier = FormValues({"chosen": ["1", "2"], "key": "one"})
    later = FormValues({"chosen": "3"})
    assert later.over(earlier).every("chosen") == ("3",)
    assert later.over(earlier)["key"] == "one"
    assert later.over({"chosen": ["1"], "reason": "so"}).record() == {"chosen": "3", "reason": "so"}


def test_a_form_is_no_list() -> None:
    assert FormValues({"a": "1"}) != [("a", "1")]
    assert repr(FormValues({"a": ["1", "2"]})) == "FormValues({'a': ['1', '2']})"
