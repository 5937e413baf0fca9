"""Rate limits: how often one address may try, and how fast one annotator may write."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable

from starlette.requests import Request

from duologue.back_off import back_off
from duologue.errors import TooManyTries

MAX_ADDRESSES = 10_000


class RateLimit:
    """At most ``tries`` in any ``seconds`` from one address.

    Counted in each process on its own: a brake against scripts, not an account of anything.
    """

    def __init__(self, *, tries: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._tries, self._seconds, self._clock = tries, seconds, clock
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()

    def check(self, address: str) -> None:
        """Refuse when the address has used up its tries.

        Raises:
            TooManyTries: It has; says how long to wait.
        """
        moments = self._recent(address)
        if len(moments) >= self._tries:
            raise TooManyTries(wait_seconds=max(1, math.ceil(moments[0] + self._seconds - self._clock())))

    def count(self, address: str) -> None:
        """Count one try of an address."""
        self._recent(address).append(self._clock())

    def counted(self, address: str) -> int:
        """How many tries of an address there were lately."""
        return len(self._recent(address))

    def _recent(self, address: str) -> deque[float]:
        moments = self._seen.setdefault(address, deque())
        self._seen.move_to_end(address)
        while len(self._seen) > MAX_ADDRESSES:
            self._seen.popitem(last=False)
        while moments and moments[0] <= self._clock() - self._seconds:
            moments.popleft()
        return moments


class SlowDown:
    """Answers to wrong keys come later and later for the address they come from; the right key never waits.

    A few are free: people mistype. Then each one of the last minutes doubles the wait, up to a limit. Only so
    many answers of one address wait at a time; further wrong keys are refused at once.
    """

    def __init__(
        self,
        *,
        free: int = 5,
        first_seconds: float = 0.5,
        most_seconds: float = 8.0,
        waiting: int = 20,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._free, self._first, self._most, self._waiting = free, first_seconds, most_seconds, waiting
        self._wrong = RateLimit(tries=10**9, seconds=300, clock=clock)
        self._now_waiting: Counter[str] = Counter()

    def seconds(self, address: str) -> float:
        """Count one wrong key of an address, and say how long its answer has to wait."""
        self._wrong.count(address)
        beyond = self._wrong.counted(address) - self._free
        return back_off(beyond, first=self._first, longest=self._most)

    async def wait(self, address: str) -> None:
        """Count one wrong key of an address, and wait as long as its answer has to.

        Raises:
            TooManyTries: Too many of its answers wait already.
        """
        seconds = self.seconds(address)
        if self._now_waiting[address] >= self._waiting:
            raise TooManyTries(wait_seconds=math.ceil(self._most))
        self._now_waiting[address] += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            self._now_waiting[address] -= 1
            if not self._now_waiting[address]:
                del self._now_waiting[address]


class MessageRate:
    """At most so many messages of one annotator in a minute: more than a person writes in a live chat."""

    def __init__(
        self, *, messages: int = 30, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit = RateLimit(tries=messages, seconds=seconds, clock=clock)

    def check(self, token: str) -> None:
        """Count one message of an annotator; refuse it when there were too many lately.

        Raises:
            TooManyTries: There were; says how long to wait. A refused message is not counted.
        """
        self._limit.check(token)
        self._limit.count(token)


def address_of(request: Request) -> str:
    """The address a request comes from, as far as the connection (or a local proxy) says."""
    return request.client.host if request.client else ""
