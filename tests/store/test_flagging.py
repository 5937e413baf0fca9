"""What screening finds is kept with the judgment, and excludes it where the study says so."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from duologue.protocols import Answer
from duologue.store import (
    Flag,
    ItemStation,
    Store,
    count_flags,
    fetch_annotators,
    fetch_exclusions,
    fetch_judged_batches,
    fetch_progress,
    record_answer,
)
from duologue.studies import StudyRules
from tests.store.small_study import CAPS, Hand, come, load

READING = replace(CAPS, words_per_second=15.0, max_judgments=20)


def position_of(answer: Answer) -> int | None:
    side = answer.values["side"]
    return side if isinstance(side, int) else None


def judge(
    store: Store,
    sides: Sequence[int | None],
    caps: StudyRules = READING,
    *,
    words: int = 0,
    seconds: float | None = None,
    flags: Sequence[Flag] = (),
) -> None:
    token, station = come(store, caps)
    for number, side in enumerate(sides):
        assert isinstance(station, ItemStation)
        station = store.run(
            record_answer(
                token,
                caps,
                assignment=station.assignment.key,
                answer=Answer({"side": side}, "So."),
                seconds=seconds,
                is_correct=None,
                key=f"{token}-{number}",
                words=words,
                flags=flags,
                position_of=position_of,
            )
        )


def flags_of(store: Store) -> list[tuple[str, ...]]:
    return [flags for batch in store.stream(fetch_judged_batches()) for flags in batch.flags]


def test_an_answer_too_fast_for_the_words_is_flagged_and_counts(store: Store) -> None:
    load(store)
    judge(store, [1], words=300)
    assert flags_of(store) == [("too-fast",)]
    assert store.run(count_flags()) == {"too-fast": 1}
    assert store.run(fetch_annotators())[0].flagged == 1
    assert store.run(fetch_exclusions()) == ()


@pytest.mark.parametrize(("words", "rate"), [(0, 15.0), (300, 0.0)])
def test_without_words_or_a_rate_nothing_is_too_fast(store: Store, words: int, rate: float) -> None:
    load(store)
    judge(store, [1], replace(READING, words_per_second=rate), words=words)
    assert flags_of(store) == [()]


def test_time_enough_to_read_is_not_flagged(store: Store, hand: Hand) -> None:
    load(store)
    token, station = come(store, READING)
    assert isinstance(station, ItemStation)
    hand.move(60)
    answer, key = Answer({"side": 1}, "So."), station.assignment.key
    given = record_answer(
        token, READING, assignment=key, answer=answer, seconds=20.0, is_correct=None, key="k", words=300
    )
    store.run(given)
    assert flags_of(store) == [()]


def test_study_that_excludes_what_was_too_fast_opens_the_place_again(store: Store) -> None:
    load(store, bots="AB")
    judge(store, [1], replace(READING, excluding_flags=("too-fast",)), words=300)
    (excluded,) = store.run(fetch_exclusions())
    assert (excluded.rule, excluded.by) == ("too-fast", "duologue")
    (group,) = store.run(fetch_progress())
    assert (group.done, group.excluded) == (0, 1)


def test_flag_of_a_live_chat_excludes_under_its_own_name(store: Store) -> None:
    load(store)
    caps = replace(READING, excluding_flags=("few-words",))
    judge(store, [1], caps, flags=[Flag("few-words", "3 words"), Flag("all-caps", "AA")])
    assert flags_of(store) == [("few-words", "all-caps")]
    assert [one.rule for one in store.run(fetch_exclusions())] == ["chat:few-words"]


def test_somebody_who_always_chooses_the_same_side_is_flagged_from_the_eighth_on(store: Store) -> None:
    load(store, bots="AB", each=12)
    judge(store, [1] * 9)
    assert flags_of(store) == [()] * 7 + [("same-position",)] * 2


def test_ties_have_no_position(store: Store) -> None:
    load(store, bots="AB", each=12)
    judge(store, [1, None, 1, 1, 1, 1, None, 1, 1])
    assert flags_of(store) == [()] * 9


def test_alternating_sides_are_a_pattern(store: Store) -> None:
    load(store, bots="AB", each=12)
    judge(store, [2, 1] * 4)
    assert flags_of(store)[-1] == ("fixed-pattern",)


def test_study_that_excludes_patterns_excludes_all_that_the_annotator_judged(store: Store) -> None:
    load(store, bots="AB", each=12)
    judge(store, [2] * 8, replace(READING, excluding_flags=("same-position",)))
    assert [one.rule for one in store.run(fetch_exclusions())] == ["same-position"] * 8
    (group,) = store.run(fetch_progress())
    assert (group.done, group.excluded) == (0, 8)


def test_in_a_rehearsal_the_seconds_that_are_told_are_believed(store: Store) -> None:
    load(store)
    rehearsed = replace(READING, is_rehearsed=True)
    judge(store, [1], rehearsed, words=300, seconds=40.0)
    judge(store, [1], rehearsed, words=300, seconds=0.2)
    judge(store, [1], rehearsed, words=300)
    assert flags_of(store) == [(), ("too-fast",), ()]
