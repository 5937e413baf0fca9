"""Many random numbers at once are those that numpy draws one by one."""

import pytest

from duologue.seeds import first_numbers, seed_sequence


@pytest.mark.parametrize("seed", [0, 1, 7, 2**32 - 1, 2**32, 2**64 + 5, 3**90])
def test_first_numbers_are_those_of_each_seed_sequence(seed: int) -> None:
    names = [f"main\0p-{number}\0 {'é' * (number % 3)}" for number in range(200)]
    one_by_one = [int(seed_sequence(seed, "order", name).generate_state(1)[0]) for name in names]
    assert first_numbers(seed, "order", names) == one_by_one


def test_nothing_is_drawn_for_nobody() -> None:
    assert first_numbers(7, "order", []) == []
