import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.telegram.flow import Intent, SentState
from duologue.telegram.people import Person, identity, read_person, seal, unseal, write_person

chat_numbers = st.integers(min_value=-(2**52), max_value=2**52)


@given(chat=chat_numbers, token=st.text(max_size=50))
def test_a_sealed_address_is_read_with_the_same_token_only(chat: int, token: str) -> None:
    sealed = seal(chat, token)
    assert unseal(sealed, token) == chat
    assert unseal(sealed, token + "x") is None
    assert sealed != seal(chat, token)


@pytest.mark.parametrize("spoilt", ["", "zz", "00", "00" * 56])
def test_what_was_not_sealed_is_no_address(spoilt: str) -> None:
    assert unseal(spoilt, "token") is None


def test_a_changed_seal_is_no_address() -> None:
    sealed = bytearray.fromhex(seal(5, "token"))
    for place in range(len(sealed)):
        spoilt = bytearray(sealed)
        spoilt[place] ^= 1
        assert unseal(spoilt.hex(), "token") is None


@given(
    shown=st.builds(SentState, assignment=st.text(), turns=st.integers(0, 99), page=st.text()),
    intent=st.builds(
        Intent,
        begun=st.text(),
        asked=st.text(),
        answer=st.dictionaries(st.text(), st.text()),
        has_stopped=st.booleans(),
    ),
)
def test_somebody_is_remembered_whole(shown: SentState, intent: Intent) -> None:
    person = Person("a1", "link", 5, shown, intent)
    text = write_person(person, token="t", keep_address=True)
    assert read_person(text, annotator="a1", link="link", token="t") == person


def test_without_an_address_nobody_can_be_written_to() -> None:
    text = write_person(Person("a1", "link", 5), token="t", keep_address=False)
    assert read_person(text, annotator="a1", link="link", token="t") is None
    assert read_person(None, annotator="a1", link="link", token="t") is None
    assert read_person("", annotator="a1", link="link", token="t") is None


def test_a_pseudonym_holds_nothing_of_the_number() -> None:
    assert "123456" not in identity("secret", 123456)
    assert identity("secret", 1) != identity("secret", 2)
