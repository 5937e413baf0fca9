"""Copied reasons are flagged in every judgment that has them, and exclude where the study says so."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from duologue.screening import COPIED_REASON, REPEATED_REASON, SHARED_REASON
from duologue.store import (
    ItemStation,
    Store,
    ThanksStation,
    count_flags,
    fetch_annotators,
    fetch_exclusions,
    fetch_judged_batches,
    fetch_progress,
    load_dialogues,
    load_items,
    resume_sitting,
    withdraw_annotator,
)
from duologue.store.database.schema import judgment_flags, reason_prints
from duologue.studies import StudyRules
from tests.store.small_study import CAPS, answer, come, dialogue, load, pairing
from tests.store.truth import assert_sound

LONG = "It asks me back and remembers what I said"
SHORT = "It asks more questions"
MANY = replace(CAPS, max_judgments=6)


def judge(store: Store, reasons: Sequence[str], caps: StudyRules = MANY) -> str:
    """A new annotator gives these reasons; their link's token."""
    token, station = come(store, caps)
    for reason in reasons:
        station = answer(store, token, station, caps, reason=reason)
    return token


def flags_of(store: Store) -> list[tuple[str, ...]]:
    return [flags for batch in store.stream(fetch_judged_batches()) for flags in batch.flags]


def test_a_reason_given_three_times_is_flagged_in_all_three(store: Store) -> None:
    load(store, MANY, each=6)
    judge(store, [SHORT, "Another one of four words.", SHORT.upper()])
    assert flags_of(store) == [()] * 3
    judge(store, [SHORT, "More fun.", f"{SHORT}!", SHORT, "More fun.", "More fun."])
    assert flags_of(store) == [()] * 3 + [
        (REPEATED_REASON,),
        (),
        (REPEATED_REASON,),
        (REPEATED_REASON,),
        (),
        (),
    ]
    assert store.run(fetch_exclusions()) == ()


def test_a_reason_of_two_annotators_is_flagged_in_both(store: Store) -> None:
    load(store, MANY, each=6)
    judge(store, [LONG, "So."])
    judge(store, [f"{LONG}.", SHORT])
    judge(store, [SHORT])
    assert flags_of(store) == [(SHARED_REASON,), (), (SHARED_REASON,), (), ()]
    judge(store, [LONG])
    assert store.run(count_flags()) == {SHARED_REASON: 3}


def test_study_that_excludes_shared_reasons_opens_all_their_places(store: Store, database: str) -> None:
    caps = replace(MANY, excluding_flags=(SHARED_REASON, REPEATED_REASON))
    load(store, caps, bots="AB", each=6)
    judge(store, [LONG, "So."], caps)
    judge(store, ["So.", LONG], caps)
    assert [one.rule for one in store.run(fetch_exclusions())] == [SHARED_REASON] * 2
    (group,) = store.run(fetch_progress())
    assert (group.done, group.excluded) == (2, 2)
    assert_sound(database, caps)


def test_a_reason_copied_from_what_was_shown_is_flagged(store: Store) -> None:
    texts = ("Well, I asked my friend about the new bike", "Hello!")
    keys = ("A-0", "B-0")
    store.run(load_dialogues([dialogue(key, text=text) for key, text in zip(keys, texts, strict=True)]))
    store.run(load_items([pairing(*keys)], MANY))
    judge(store, ["I asked my friend about the new bike!"])
    assert flags_of(store) == [(COPIED_REASON,)]


def test_who_quotes_and_says_why_has_not_copied(store: Store) -> None:
    keys = ("A-0", "B-0")
    store.run(load_dialogues([dialogue(key, text="I asked my friend about the new bike") for key in keys]))
    store.run(load_items([pairing(*keys)], MANY))
    judge(store, ["'I asked my friend about the new bike' sounds like a person."])
    assert flags_of(store) == [()]


def test_what_nobody_could_see_when_it_was_given_is_flagged_when_the_sitting_ends(store: Store) -> None:
    caps = replace(CAPS, max_judgments=2)
    load(store, caps, bots="AB", each=6)
    judge(store, [LONG], caps)
    token = judge(store, [LONG], caps)
    store._writer.run(
        lambda tx: tx.do(judgment_flags.delete())
    ).result()  # as if both had come at the same moment
    station = store.run(resume_sitting(token, caps))
    assert isinstance(station, ItemStation)
    assert isinstance(answer(store, token, station, caps), ThanksStation)
    assert flags_of(store) == [(SHARED_REASON,), (SHARED_REASON,), ()]


@pytest.mark.parametrize("repeat", [0.0, 1.0])
def test_second_answers_to_the_same_item_may_have_the_same_reason(store: Store, repeat: float) -> None:
    caps = replace(MANY, max_judgments=2, repeat=repeat, repeat_after=1)
    load(store, caps, bots="AB", each=6)
    token, station = come(store, caps)
    while isinstance(station, ItemStation):
        station = answer(store, token, station, caps, reason=SHORT)
    assert flags_of(store) == [()] * (4 if repeat else 2)


def test_prints_go_with_the_reasons_of_who_withdraws(store: Store) -> None:
    load(store, MANY, each=6)
    judge(store, [LONG])
    (person,) = store.run(fetch_annotators())
    store.run(withdraw_annotator(person.id, reason="asked to"))
    assert store._writer.run(lambda tx: tx.rows(reason_prints.select())).result() == []
    judge(store, [LONG])
    assert flags_of(store) == [(), ()]
