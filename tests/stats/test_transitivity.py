"""The order by majority and its circles: ACUTE's tables, brute force over all triples, ends."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given

from duologue.errors import BadNumber
from duologue.stats import majority_order
from tests.stats.golden import acute_win_matrix
from tests.stats.strategies import Wins, bot_names, win_matrices


def test_acute_table_2_is_in_the_published_order_with_the_last_two_tied() -> None:
    order = majority_order(*acute_win_matrix(2))
    assert order.tiers == (("H",), ("PE",), ("LIC",), ("INT",), ("HF",), ("INQ",), ("RC", "KV"))
    assert order.is_transitive
    assert order.cycles == ()


def test_acute_table_4_is_in_the_same_order_but_for_hf() -> None:
    wins, names = acute_win_matrix(4)
    wins[names.index("HF"), names.index("INT")] = 19
    order = majority_order(wins, names)
    assert order.tiers == (("H",), ("PE",), ("LIC",), ("INT",), ("INQ",), ("KV",), ("RC",), ("HF",))
    assert order.is_transitive


def test_acute_table_7_goes_round_in_a_circle() -> None:
    order = majority_order(*acute_win_matrix(7))
    assert not order.is_transitive
    assert [set(cycle) for cycle in order.cycles] == [{"RU", "H", "RK"}]
    start = order.cycles[0].index("RU")
    assert order.cycles[0][start:] + order.cycles[0][:start] == ("RU", "H", "RK")


@given(win_matrices(fewest_wins=0))
def test_every_rock_paper_scissors_triple_is_listed_once_in_winning_order(wins: Wins) -> None:
    names = bot_names(len(wins))
    found = majority_order(wins, names).cycles
    beats = {
        (a, b)
        for a, b in itertools.permutations(names, 2)
        if wins[names.index(a), names.index(b)] > wins[names.index(b), names.index(a)]
    }
    expected = {
        frozenset(triple)
        for triple in itertools.permutations(names, 3)
        if {(triple[0], triple[1]), (triple[1], triple[2]), (triple[2], triple[0])} <= beats
    }
    triples = [cycle for cycle in found if len(cycle) == 3]
    assert {frozenset(cycle) for cycle in triples} == expected
    assert len(triples) == len(expected)
    for cycle in found:
        assert all(pair in beats for pair in zip(cycle, cycle[1:] + cycle[:1], strict=True))


@given(win_matrices(fewest_wins=0))
def test_every_bot_is_in_one_tier_and_a_transitive_order_puts_winners_first(wins: Wins) -> None:
    names = bot_names(len(wins))
    order = majority_order(wins, names)
    assert sorted(itertools.chain(*order.tiers)) == names
    place = {name: tier for tier, members in enumerate(order.tiers) for name in members}
    no_tie = all(wins[i, j] != wins[j, i] for i, j in itertools.combinations(range(len(wins)), 2))
    if order.is_transitive and no_tie:
        for i, j in itertools.permutations(range(len(wins)), 2):
            if wins[i, j] > wins[j, i]:
                assert place[names[i]] < place[names[j]]


def test_a_circle_of_four_that_no_three_form_is_found() -> None:
    wins = np.zeros((5, 5))
    for winner, loser in [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4)]:
        wins[winner, loser] = 3
    order = majority_order(wins, "ABCDE")
    assert not order.is_transitive
    assert order.cycles == (("A", "B", "C", "D"),)


def test_the_shortest_of_several_circles_is_taken() -> None:
    wins = np.zeros((6, 6))
    for winner, loser in [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 2), (3, 5), (5, 0)]:
        wins[winner, loser] = 3
    order = majority_order(wins, "ABCDEF")
    assert not order.is_transitive
    assert order.cycles == (("A", "B", "C", "D"),)  # and not A, B, C, D, F; by way of E it is as long


def test_matchups_that_were_not_judged_do_not_count() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1], wins[0, 2], wins[3, 0] = 5, 5, 5  # a new bot against three old ones
    assert majority_order(wins, ["new", "b", "c", "d"]).tiers == (("d",), ("new",), ("b", "c"))


def test_bots_without_any_judgment_share_a_tier() -> None:
    assert majority_order(np.zeros((2, 2)), "AB").tiers == (("A", "B"),)
    assert majority_order(np.zeros((0, 0)), []).tiers == ()


def test_a_matrix_that_does_not_fit_the_names_is_refused() -> None:
    with pytest.raises(BadNumber):
        majority_order([[0, 1], [1, 0]], "ABC")
