import asyncio

import pytest

from duologue.errors import TooManyTries
from duologue.server.limits import MAX_ADDRESSES, MessageRate, RateLimit, SlowDown


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_try_after_the_last_one_is_refused_with_the_time_to_wait() -> None:
    clock = Hand()
    limit = RateLimit(tries=2, seconds=60, clock=clock)
    for _ in range(2):
        limit.check("here")
        limit.count("here")
        clock.now += 10
    with pytest.raises(TooManyTries) as refused:
        limit.check("here")
    assert refused.value.wait_seconds == 40
    limit.check("elsewhere")


def test_tries_are_forgotten_when_their_time_is_over() -> None:
    clock = Hand()
    limit = RateLimit(tries=1, seconds=60, clock=clock)
    limit.count("here")
    clock.now += 60
    limit.check("here")


def test_memory_is_bounded_however_many_addresses_come() -> None:
    limit = RateLimit(tries=1, seconds=1e9)
    for number in range(MAX_ADDRESSES + 10):
        limit.count(str(number))
    limit.check("0")
    with pytest.raises(TooManyTries):
        limit.check(str(MAX_ADDRESSES + 9))


def test_an_annotator_who_writes_faster_than_people_do_is_asked_to_wait() -> None:
    clock = Hand()
    rate = MessageRate(messages=2, seconds=60, clock=clock)
    rate.check("ada")
    clock.now += 30
    rate.check("ada")
    for _ in range(5):
        with pytest.raises(TooManyTries) as refused:
            rate.check("ada")
    assert refused.value.wait_seconds == 30
    rate.check("bob")


def test_a_refused_message_does_not_make_the_wait_longer() -> None:
    clock = Hand()
    rate = MessageRate(messages=1, seconds=60, clock=clock)
    rate.check("ada")
    clock.now += 59
    with pytest.raises(TooManyTries):
        rate.check("ada")
    clock.now += 1
    rate.check("ada")


def test_a_few_wrong_keys_are_free_and_old_ones_are_forgotten() -> None:
    clock = Hand()
    slow = SlowDown(free=2, first_seconds=1.0, most_seconds=3.0, clock=clock)
    assert [slow.seconds("a") for _ in range(6)] == [0.0, 0.0, 1.0, 2.0, 3.0, 3.0]
    assert slow.seconds("b") == 0.0
    clock.now += 301
    assert slow.seconds("a") == 0.0


def test_only_so_many_wrong_keys_of_an_address_wait_and_the_others_are_refused() -> None:
    async def guess() -> list[object]:
        slow = SlowDown(free=0, first_seconds=0.05, most_seconds=0.05, waiting=3)
        return await asyncio.gather(*(slow.wait("a") for _ in range(5)), return_exceptions=True)

    found = asyncio.run(guess())
    assert found[:3] == [None] * 3
    assert [type(one) for one in found[3:]] == [TooManyTries] * 2
