"""Rate limits: how often one address may try, and how fast one annotator may write."""

from __future__ import annotations

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from starlette.requests import Request

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

    def _recent(self, address: str) -> deque[float]:
        moments = self._seen.setdefault(address, deque())
        self._seen.move_to_end(address)
        while len(self._seen) > MAX_ADDRESSES:
            self._seen.popitem(last=False)
        while moments and moments[0] <= self._clock() - self._seconds:
            moments.popleft()
        return moments


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
