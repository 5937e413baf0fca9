"""Twice as many people as places, at once and one after another: nobody is let in for less than a place."""

from collections import Counter

import pytest

from duologue.store import Store, fetch_annotators, fetch_judgments, fetch_progress
from tests.store.crowds import Came, How, Protocol, come_all, small_study
from tests.store.truth import assert_sound

PLACES, QUESTIONS = 4, 4


def _let_in(crowd: tuple[Came, ...]) -> list[Came]:
    return [one for one in crowd if one.agreed]


@pytest.mark.parametrize("how", ["at once", "one after another"])
@pytest.mark.parametrize("protocol", ["acute", "likert", "per-turn", "nuc"])
def test_a_crowd_fills_every_place_and_nobody_agrees_for_nothing(
    store: Store, database: str, protocol: Protocol, how: How
) -> None:
    study = small_study(store, protocol, places=PLACES, questions=QUESTIONS)
    crowd = come_all(store, study.caps, 2 * PLACES, how)
    let_in = _let_in(crowd)
    assert all(one.asked["judged"] for one in let_in)
    assert all(one.ended == "ThanksStation" for one in let_in)
    assert sum(one.counted for one in crowd) == study.judgments
    agreed = {one.token for one in store.run(fetch_annotators()) if one.consented_at is not None}
    assert agreed == {one.token for one in let_in}
    assert {one.ended for one in crowd if not one.agreed} == {"IdleStation"}
    if protocol in ("acute", "nuc"):
        assert {one.asked["attention"] for one in let_in} == {2}
    assert_sound(database, study.caps)


@pytest.mark.parametrize("how", ["at once", "one after another"])
def test_everybody_in_a_questionnaire_is_asked_all_of_one_version(
    store: Store, database: str, how: How
) -> None:
    study = small_study(store, "nuc", places=PLACES, questions=QUESTIONS)
    crowd = come_all(store, study.caps, 2 * PLACES, how)
    assert Counter(one.asked["judged"] for one in crowd) == {QUESTIONS: PLACES, 0: PLACES}
    per_item = Counter(one.item for one in store.stream(fetch_judgments()) if not one.excluded)
    assert set(per_item.values()) == {PLACES // 2}
    assert_sound(database, study.caps)


def test_places_of_the_careless_are_given_again_whole(store: Store, database: str) -> None:
    study = small_study(store, "nuc", places=PLACES, questions=QUESTIONS)
    crowd = come_all(store, study.caps, 2 * PLACES, "one after another", careless=2)
    assert [one.counted for one in crowd] == [0, 0, *[QUESTIONS] * PLACES, *[0] * (PLACES - 2)]
    assert [one.asked["judged"] for one in crowd] == [QUESTIONS] * (PLACES + 2) + [0] * (PLACES - 2)
    assert sum(group.done for group in store.run(fetch_progress())) == study.judgments
    assert_sound(database, study.caps)


def test_no_answer_of_a_careless_annotator_counts_where_one_place_is_left(store: Store) -> None:
    study = small_study(store, "nuc", places=2, questions=QUESTIONS)
    crowd = come_all(store, study.caps, 6, "at once", careless=6)
    assert all(one.asked["attention"] == 2 for one in _let_in(crowd))
    assert sum(one.counted for one in crowd) == 0


def test_who_finds_fewer_comparisons_than_planned_is_asked_all_attention_checks_the_same(
    store: Store,
) -> None:
    study = small_study(store, "acute", places=2, questions=5)
    (only,) = come_all(store, study.caps, 1, "at once", careless=1)
    assert (only.asked["judged"], only.asked["attention"], only.counted) == (2, 2, 0)
