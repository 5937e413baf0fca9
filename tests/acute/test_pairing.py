"""Dialogues are paired evenly, reproducibly, and never twice."""

import json
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.acute import Matchup, PairingSettings, matchups_of, pair_dialogues
from duologue.acute.gold import gold_slot
from duologue.acute.pairing import even_pairs, even_pairs_within
from duologue.errors import DesignError, ImpossiblePairing
from duologue.protocols import Item
from tests.strategies import thorough


@dataclass(frozen=True)
class Head:
    id: str
    bot: str
    kind: str = "self-chat"
    judged: str = "speaker_1"


def heads(**counts: int) -> list[Head]:
    return [Head(f"{bot}-{number}", bot) for bot, count in counts.items() for number in range(count)]


def made(dialogues: list[Head], seed: int = 7, **options: object) -> list[Item]:
    return list(pair_dialogues(dialogues, PairingSettings.model_validate(options), seed=seed))


def spread(uses: Counter[int], size: int) -> int:
    return max(uses[place] for place in range(size)) - min(uses[place] for place in range(size))


@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_pairs_differ_and_every_dialogue_is_used_evenly(first: int, second: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, first * second))
    left, right = (side.tolist() for side in even_pairs(first, second, count))
    assert len(set(zip(left, right, strict=True))) == count
    assert spread(Counter(left), first) <= 1
    assert spread(Counter(right), second) <= 1


@given(st.integers(2, 40), st.data())
def test_pairs_within_one_bot_differ_and_are_even(size: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, size * (size - 1) // 2))
    left, right = (side.tolist() for side in even_pairs_within(size, count))
    pairs = {frozenset(pair) for pair in zip(left, right, strict=True)}
    assert len(pairs) == count
    assert all(len(pair) == 2 for pair in pairs)
    assert spread(Counter(left + right), size) <= 1


@pytest.mark.parametrize("size", range(2, 30))
def test_pairs_within_are_even_after_every_single_pairing(size: int) -> None:
    left, right = (side.tolist() for side in even_pairs_within(size, size * (size - 1) // 2))
    uses: Counter[int] = Counter()
    for one, other in zip(left, right, strict=True):
        uses.update((one, other))
        assert spread(uses, size) <= 1


def test_each_dialogue_is_shown_once_when_there_are_enough() -> None:
    items = made(heads(a=30, b=20), per_matchup=20)
    assert len(items) == 20
    assert max(Counter(name for item in items for name in item.dialogues).values()) == 1


@thorough(10)
@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_the_order_of_the_dialogues_does_not_matter(seed: int, random: object) -> None:
    dialogues = heads(a=9, b=7, c=8)
    expected = made(dialogues, seed, per_matchup=12)
    random.shuffle(dialogues)  # type: ignore[attr-defined]
    assert made(dialogues, seed, per_matchup=12) == expected


def test_another_seed_gives_other_pairings() -> None:
    assert made(heads(a=9, b=9), 1, per_matchup=9) != made(heads(a=9, b=9), 2, per_matchup=9)


def test_a_new_bot_leaves_the_pairings_of_the_others_alone() -> None:
    before = made(heads(a=9, b=9), per_matchup=9)
    after = made(heads(a=9, b=9, c=9), per_matchup=9)
    assert [item for item in after if item.group == "a__vs__b"] == before


def test_every_pair_of_dialogues_is_about_equally_likely() -> None:
    seen: Counter[tuple[str, ...]] = Counter()
    for seed in range(900):
        seen.update(item.dialogues for item in made(heads(a=3, b=3), seed, per_matchup=3))
    assert len(seen) == 9
    # 900 random matchings of 3 × 3: each pair has expectation 300, sd 14.1
    assert all(abs(count - 300) < 5 * 14.2 for count in seen.values())


def test_impossible_requests_say_what_is_possible() -> None:
    with pytest.raises(ImpossiblePairing, match=r"a__vs__b: 13 pairings were asked for and 12 are possible"):
        made(heads(a=3, b=4), per_matchup=13)
    with pytest.raises(ImpossiblePairing, match="3 are possible"):
        made(heads(a=3), per_matchup=4, same_bot=["a"])


def test_a_dialogue_is_shown_once_in_the_study_on_request() -> None:
    items = made(heads(a=20, b=20, c=20), per_matchup=10, dialogue_once="study")
    assert len(items) == 30
    assert max(Counter(name for item in items for name in item.dialogues).values()) == 1


def test_too_few_dialogues_for_once_in_the_study_says_how_many_there_could_be() -> None:
    with pytest.raises(ImpossiblePairing, match=r"11 pairings were asked for and 10 are possible"):
        made(heads(a=20, b=22, c=22), per_matchup=11, dialogue_once="study")


def test_a_same_bot_matchup_counts_twice_towards_once_in_the_study() -> None:
    items = made(heads(a=30, b=10), per_matchup=10, same_bot=["a"], dialogue_once="study")
    assert max(Counter(name for item in items for name in item.dialogues).values()) == 1
    with pytest.raises(ImpossiblePairing, match="9 are possible"):
        made(heads(a=29, b=10), per_matchup=10, same_bot=["a"], dialogue_once="study")


def test_a_same_bot_matchup_never_shows_a_dialogue_beside_itself() -> None:
    items = [
        item for item in made(heads(a=7, b=7), per_matchup=21, same_bot=["a"]) if item.group == "a__vs__a"
    ]
    assert len({frozenset(item.dialogues) for item in items}) == 21
    assert all(item.bots == ("a", "a") for item in items)


def test_matchups_are_all_or_listed_or_new_against_the_rest() -> None:
    bots = ["c", "a", "b"]
    assert [m.group for m in matchups_of(bots, PairingSettings())] == ["a__vs__b", "a__vs__c", "b__vs__c"]
    listed = PairingSettings(matchups=(("c", "a"),))
    assert matchups_of(bots, listed) == (Matchup("a", "c"),)
    against = PairingSettings(against=("b",))
    assert matchups_of(bots, against) == (Matchup("a", "b"), Matchup("b", "c"))
    left_out = PairingSettings(leave_out=("b",), same_bot=("a",))
    assert matchups_of(bots, left_out) == (Matchup("a", "a"), Matchup("a", "c"))


def test_a_bot_without_dialogues_is_named() -> None:
    with pytest.raises(DesignError, match="bot 'z' has no dialogues"):
        matchups_of(["a", "b"], PairingSettings(against=("z",)))


def test_one_bot_alone_cannot_be_compared() -> None:
    with pytest.raises(DesignError, match="nothing to compare"):
        matchups_of(["a"], PairingSettings())


def test_kinds_are_not_mixed_without_saying_so() -> None:
    dialogues = [*heads(a=3), *(Head(f"b-{number}", "b", "live-chat") for number in range(3))]
    with pytest.raises(DesignError, match="would mix live-chat and self-chat"):
        made(dialogues, per_matchup=3)
    assert len(made(dialogues, per_matchup=3, mix_kinds=True)) == 3


def test_humans_meet_either_kind() -> None:
    dialogues = [*heads(a=3), *(Head(f"h-{number}", "human", "human-human") for number in range(3))]
    assert len(made(dialogues, per_matchup=3)) == 3


def test_one_kind_can_be_chosen_when_a_bot_has_two() -> None:
    dialogues = [*heads(a=3, b=3), Head("a-live", "a", "live-chat")]
    items = made(dialogues, per_matchup=9, kind="self-chat")
    assert all("a-live" not in item.dialogues for item in items)


def test_a_bot_without_dialogues_of_the_chosen_kind_is_not_compared() -> None:
    others = [Head(f"C-{number}", "C", kind="live-chat") for number in range(3)]
    items = made(heads(A=3, B=3) + others, per_matchup=2, kind="self-chat")
    assert {bot for item in items for bot in item.bots} == {"A", "B"}


def test_onboarding_pairings_know_the_better_slot_and_come_first() -> None:
    dialogues = heads(a=3, b=3, z=3)
    items = made(dialogues, per_matchup=2, onboarding=["z", "b"], onboarding_count=4, leave_out=["z"])
    onboarding = items[:4]
    assert all(item.is_onboarding and item.bots[int(str(item.gold))] == "z" for item in onboarding)
    assert not any(item.is_onboarding for item in items[4:])
    assert {item.group for item in items[4:]} == {"a__vs__b"}


def test_attention_pairings_are_more_of_the_onboarding_ones() -> None:
    settings: dict[str, object] = {
        "per_matchup": 2,
        "onboarding": ["z", "b"],
        "onboarding_count": 3,
        "leave_out": ["z"],
    }
    items = made(heads(a=3, b=3, z=3), 7, **settings, attention_count=2)
    assert [item.role for item in items] == ["onboarding"] * 3 + ["attention"] * 2 + ["judged"] * 2
    assert {gold_slot(item) for item in items[:5]} == {1}
    assert len({item.dialogues for item in items[:5]}) == 5
    with pytest.raises(ImpossiblePairing, match="9 are possible"):
        made(heads(a=3, b=3, z=3), 7, **settings, attention_count=7)


@pytest.mark.parametrize("gold", [None, True, "1", 2, -1, [1]])
def test_a_gold_answer_that_is_no_slot_is_none(gold: object) -> None:
    assert gold_slot(Item("p", "a__vs__b", ("a", "b"), ("d", "e"), ("A", "B"), gold=gold)) is None


def test_onboarding_with_a_bot_that_is_not_there_says_so() -> None:
    with pytest.raises(DesignError, match="'human' has no dialogues"):
        made(heads(a=3, b=3), per_matchup=1, onboarding=["human", "a"])


def test_too_many_onboarding_pairings_say_what_is_possible() -> None:
    with pytest.raises(ImpossiblePairing, match="9 are possible"):
        made(heads(a=3, b=3), per_matchup=1, onboarding=["b", "a"], onboarding_count=10)


def test_pairing_ids_are_unique() -> None:
    items = made(heads(a=12, b=12, c=12), per_matchup=100, same_bot=["a"][:0], onboarding=["a", "b"])
    for one, other in pairwise(sorted(item.id for item in items)):
        assert one != other
    assert json.dumps([item.id for item in items])
