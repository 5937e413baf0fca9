"""Simulated annotators rank three dialogues as they truly prefer, whatever the question and the order."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest

from duologue.acute import AcuteProtocol
from duologue.acute.rehearsal import AcuteRehearsal
from duologue.acute.rehearsal.preferences import Preferences
from duologue.acute.rehearsal.ranking import order_chances, wanted_order
from duologue.protocols import Answer, AskedItem, FormValues, Item
from duologue.rehearsal import Kind, SimulatedAnnotator
from tests.acute.test_page import settings
from tests.acute.test_ranking_page import BORING, DIALOGUES, RANKING, THREE

SURE = Preferences({"qqq": 0.0, "xxx": 40.0, "zzz": 20.0})
"""The second is better than the third, and the third than the first."""


def somebody(kind: Kind = "careful", number: int = 0) -> SimulatedAnnotator:
    return SimulatedAnnotator(number, kind, has_script=True, seed=7)


def ranked(protocol: AcuteProtocol, kind: Kind, order: tuple[int, ...], item: Item = THREE) -> list[str]:
    """The bots from the first to the last, as the row says."""
    asked = AskedItem("main", item, order, DIALOGUES)
    form = AcuteRehearsal().simulate(somebody(kind), asked, {}, protocol=protocol, truth=SURE)
    answer = protocol.read(asked, FormValues({**form}))
    assert isinstance(answer, Answer)
    ranks = answer.values["ranks"]
    assert isinstance(ranks, list)
    return [item.bots[order[ranks.index(place)]] for place in (1, 2, 3)]


@pytest.mark.parametrize("order", list(permutations((0, 1, 2))))
def test_careful_annotators_rank_by_strength_whatever_is_shown_where(order: tuple[int, ...]) -> None:
    assert ranked(RANKING, "careful", order) == ["xxx", "zzz", "qqq"]
    assert ranked(BORING, "careful", order) == ["qqq", "zzz", "xxx"]
    assert ranked(RANKING, "fails-onboarding", order) == ["qqq", "zzz", "xxx"]


def test_who_always_takes_the_left_ranks_as_it_is_shown() -> None:
    assert ranked(RANKING, "always-left", (2, 0, 1)) == ["zzz", "qqq", "xxx"]


@pytest.mark.parametrize("gold", [{"last": 1}, {"first": 1}])
def test_known_answers_are_given_and_by_some_turned_round(gold: dict[str, int]) -> None:
    known = Item("k", THREE.group, THREE.bots, THREE.dialogues, THREE.judged, role="onboarding", gold=gold)
    place = 2 if "last" in gold else 0
    order = wanted_order(somebody(), known, SURE)
    assert order is not None
    assert order[place] == 1
    wrong = wanted_order(somebody("fails-onboarding"), known, SURE)
    assert wrong is not None
    assert wrong[place] != 1


def test_careless_annotators_give_any_order() -> None:
    orders = {wanted_order(somebody("careless", number), THREE, SURE) for number in range(60)}
    assert orders == set(permutations((0, 1, 2)))


def test_every_two_bots_are_in_order_as_often_as_is_true_of_them() -> None:
    for truth in (
        Preferences({"a": 1.0, "b": 0.2, "c": -0.5}),
        Preferences({"a": 0.0, "b": 0.0, "c": 0.0}, {("a", "b"): 0.7, ("b", "c"): 0.6, ("a", "c"): 0.55}),
    ):
        chances = dict(zip(permutations(range(3)), order_chances("abc", truth), strict=True))
        assert sum(chances.values()) == pytest.approx(1)
        for one, other in combinations(range(3), 2):
            found = sum(chance for order, chance in chances.items() if order.index(one) < order.index(other))
            assert found == pytest.approx(truth.rate("abc"[one], "abc"[other]), abs=1e-6)


def test_a_circle_without_exception_is_met_as_far_as_it_can_be() -> None:
    circle = Preferences({}, {("a", "b"): 1.0, ("b", "c"): 1.0, ("a", "c"): 0.0})
    assert sum(order_chances("abc", circle)) == pytest.approx(1)


def test_items_are_called_rankings() -> None:
    assert AcuteRehearsal().noun([THREE]) == "ranking"
    assert AcuteProtocol(settings()).name == "acute"


def test_orders_are_drawn_by_their_chances() -> None:
    truth = Preferences({"qqq": 0.8, "xxx": 0.0, "zzz": -0.8})
    items = [
        Item(f"i{number}", THREE.group, THREE.bots, THREE.dialogues, THREE.judged) for number in range(400)
    ]
    drawn = Counter(wanted_order(somebody(), item, truth) for item in items)
    first = sum(count for order, count in drawn.items() if order is not None and order[0] == 0)
    assert 180 < first < 280
