"""What is put into a row comes out of it unchanged."""

import threading

from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import Dialogue
from duologue.protocols import Item, item_of, item_text
from duologue.store.database.encoding import (
    LruCache,
    dialogue_of,
    dialogue_text,
    json_text,
    order_of,
    order_text,
)
from tests.strategies import dialogues, extras, names


@given(dialogues())
def test_dialogue_comes_back_unchanged(dialogue: Dialogue) -> None:
    assert dialogue_of(dialogue_text(dialogue)) == dialogue


@given(
    st.builds(
        Item,
        id=names,
        group=names,
        bots=st.tuples(names, names),
        dialogues=st.tuples(names, names),
        judged=st.tuples(names, names),
        role=st.sampled_from(("judged", "onboarding", "attention")),
        gold=st.sampled_from([None, 0, 1]),
        extras=extras,
    )
)
def test_item_comes_back_unchanged(item: Item) -> None:
    text = item_text(item)
    text.encode()  # any database can hold it
    assert item_of(text) == item


def test_an_item_stored_with_everything_spelt_out_is_read() -> None:
    told = (
        '{"id":"p","group":"a__vs__b","bots":["a","b"],"dialogues":["d","e"],"judged":["A","B"],'
        '"role":"judged","gold":null,"extras":{}}'
    )
    item = Item("p", "a__vs__b", ("a", "b"), ("d", "e"), ("A", "B"))
    assert item_of(told) == item
    assert item_of(item_text(item)) == item


@given(st.text())
def test_any_text_fits_into_utf8_without_nul(text: str) -> None:
    encoded = json_text({"text": text}).encode()
    assert b"\0" not in encoded


def test_half_a_surrogate_pair_is_kept() -> None:
    assert json_text("\ud83d") == '"\\ud83d"'


@given(st.permutations(range(4)))
def test_order_comes_back_unchanged(order: list[int]) -> None:
    assert order_of(order_text(tuple(order))) == tuple(order)


def test_recent_values_are_made_once_and_the_oldest_goes_first() -> None:
    made: list[str] = []
    recent: LruCache[str, str] = LruCache(2)

    def ask(key: str) -> None:
        recent.get(key, lambda: made.append(key) or key.upper())  # type: ignore[func-returns-value]

    for key in ("a", "b", "a", "c", "a", "b"):
        ask(key)
    assert made == ["a", "b", "c", "b"]


def test_recent_values_may_be_asked_for_by_many_threads() -> None:
    recent: LruCache[int, int] = LruCache(5)
    wrong: list[int] = []

    def ask() -> None:
        wrong.extend(key for key in [*range(20)] * 50 if recent.get(key, lambda key=key: key) != key)  # type: ignore[misc]

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
