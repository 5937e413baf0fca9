"""Three bots are put together so that every two meet evenly, and their dialogues are shown evenly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.acute import PairingSettings
from duologue.acute.ranking.triples import known_rankings, meetings, rank_dialogues, triple_counts
from duologue.errors import DesignError, ImpossiblePairing
from duologue.protocols import Item
from tests.acute.test_pairing import Head, heads
from tests.strategies import thorough


def ranked(dialogues: list[Head], seed: int = 7, **options: object) -> list[Item]:
    return list(rank_dialogues(dialogues, PairingSettings.model_validate(options), seed=seed))


@thorough(12)
@given(st.integers(3, 9), st.integers(1, 40), st.integers(0, 5))
def test_every_two_bots_meet_as_often_as_asked_and_hardly_more(bots: int, each: int, seed: int) -> None:
    names = [f"bot-{number}" for number in range(bots)]
    met = meetings(triple_counts(names, each, seed=seed))
    assert set(met) == set(combinations(names, 2))
    assert min(met.values()) >= each
    assert max(met.values()) <= each + 1


@pytest.mark.parametrize(("bots", "each"), [(4, 4), (5, 9), (7, 1), (8, 12), (9, 1)])
def test_where_it_can_be_every_two_bots_meet_equally_often(bots: int, each: int) -> None:
    met = meetings(triple_counts([str(number) for number in range(bots)], each, seed=1))
    assert set(met.values()) == {each}


@thorough(12)
@given(st.integers(3, 6), st.integers(1, 12), st.integers(8, 16))
def test_dialogues_are_shown_evenly_and_no_two_meet_twice(bots: int, each: int, dialogues: int) -> None:
    given_heads = heads(**{f"b{number}": dialogues for number in range(bots)})
    items = ranked(given_heads, per_matchup=each)
    assert {len(item.dialogues) for item in items} == {3}
    pairs = Counter(pair for item in items for pair in combinations(sorted(item.dialogues), 2))
    assert set(pairs.values()) == {1}
    for number in range(bots):
        shown = Counter({f"b{number}-{place}": 0 for place in range(dialogues)})
        shown.update(name for item in items for name in item.dialogues if name.startswith(f"b{number}-"))
        assert max(shown.values()) - min(shown.values()) <= 1


def test_a_dialogue_repeats_in_no_matchup_while_there_are_enough() -> None:
    items = ranked(heads(a=24, b=24, c=24, d=24), per_matchup=12)
    uses = Counter((dialogue, other) for item in items for dialogue in item.dialogues for other in item.bots)
    assert max(uses.values()) == 1


def test_the_order_of_dialogues_does_not_matter_and_another_seed_does() -> None:
    given_heads = heads(a=9, b=9, c=9, d=9)
    items = ranked(given_heads, per_matchup=6)
    assert ranked(given_heads[::-1], per_matchup=6) == items
    assert ranked(given_heads, seed=8, per_matchup=6) != items
    assert len({item.id for item in items}) == len(items)


def test_groups_are_the_three_bots_in_the_order_of_names() -> None:
    items = ranked(heads(c=5, a=5, b=5), per_matchup=4)
    assert {item.group for item in items} == {"a__vs__b__vs__c"}
    assert {item.bots for item in items} == {("a", "b", "c")}
    assert all(item.judged == ("speaker_1",) * 3 and item.gold is None for item in items)


def test_pairings_of_two_come_besides_where_they_are_asked_for() -> None:
    items = ranked(heads(a=9, b=9, c=9), per_matchup=4, pairs_per_matchup=2)
    assert Counter(len(item.dialogues) for item in items) == {3: 4, 2: 6}


def test_onboarding_shows_two_of_the_better_bot_and_one_of_the_weak_one_which_is_last() -> None:
    items = ranked(
        heads(a=5, b=5, c=5, human=6, weak=4), per_matchup=2, onboarding=("human", "weak"),
        onboarding_count=2, attention_count=3, leave_out=("human", "weak"),
    )  # fmt: skip
    known = items[:5]
    assert [item.role for item in known] == ["onboarding"] * 2 + ["attention"] * 3
    assert {item.bots for item in known} == {("human", "human", "weak")}
    assert all(item.gold == {"last": 2} and len(set(item.dialogues)) == 3 for item in known)
    assert all(item.is_judged for item in items[5:])


def test_without_onboarding_there_is_none() -> None:
    assert list(known_rankings(heads(a=3), PairingSettings(), seed=1)) == []


@pytest.mark.parametrize(("missing", "there"), [("weak", {"human": 3}), ("human", {"weak": 3})])
def test_onboarding_with_a_bot_that_has_no_dialogues_is_refused(missing: str, there: dict[str, int]) -> None:
    with pytest.raises(DesignError, match=f"'{missing}' has no dialogues"):
        ranked(heads(a=3, b=3, c=3, **there), per_matchup=1, onboarding=("human", "weak"))


def test_too_few_dialogues_for_onboarding_are_refused_with_what_is_possible() -> None:
    with pytest.raises(ImpossiblePairing, match="of which each ranking shows two"):
        ranked(heads(a=3, b=3, c=3, human=2, weak=1), per_matchup=1, onboarding=("human", "weak"))


def test_fewer_than_three_bots_are_refused() -> None:
    with pytest.raises(DesignError, match="needs dialogues of three bots, and there are those of a, b"):
        ranked(heads(a=3, b=3, c=3), per_matchup=1, leave_out=("c",))


def test_kinds_of_dialogues_are_not_mixed() -> None:
    others = [Head(f"c-{number}", "c", kind="live-chat") for number in range(3)]
    with pytest.raises(DesignError, match="would mix live-chat and self-chat"):
        ranked([*heads(a=3, b=3), *others], per_matchup=1)


def test_more_meetings_than_dialogues_can_have_are_refused() -> None:
    with pytest.raises(ImpossiblePairing, match="a has 2 dialogues and b has 2"):
        ranked(heads(a=2, b=2, c=9), per_matchup=5)


def test_meetings_that_three_cannot_all_have_are_refused() -> None:
    # Two dialogues each: four meetings of two are possible, but the fourth three meets somebody again.
    with pytest.raises(ImpossiblePairing, match="all their dialogues have met"):
        ranked(heads(a=2, b=2, c=2, d=2), per_matchup=4, seed=3)


def test_a_dialogue_once_in_the_study_needs_as_many_dialogues_as_rankings() -> None:
    items = ranked(heads(a=6, b=6, c=6), per_matchup=6, dialogue_once="study")
    assert max(Counter(name for item in items for name in item.dialogues).values()) == 1
    with pytest.raises(ImpossiblePairing, match="each may be shown once in the whole study"):
        ranked(heads(a=5, b=6, c=6), per_matchup=6, dialogue_once="study")
