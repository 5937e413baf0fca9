"""Work on processes and on a local Ray of two workers (skipped when Ray is absent): the same results."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import pytest

from duologue.engine import ENGINES, Engine, open_executor
from duologue.errors import EngineError, MissingExtra, NotFound

HAS_RAY = find_spec("ray") is not None
ENGINES_HERE = [
    pytest.param(
        engine,
        marks=[
            pytest.mark.skipif(engine == "ray" and not HAS_RAY, reason="ray is not installed"),
            pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
        ],
    )
    for engine in ENGINES
]


@dataclass
class Doubler:
    """Doubles numbers, and remembers how many."""

    made_in: int
    count: int = 0

    def __call__(self, number: int) -> tuple[int, int, int]:
        self.count += 1
        if number == 13:
            raise NotFound("number", "13")
        if number == 666:
            os._exit(1)
        return 2 * number, self.made_in, self.count


def make_doubler() -> Callable[[int], tuple[int, int, int]]:
    return Doubler(os.getpid())


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_every_task_is_done_once_by_workers_made_once(engine: Engine) -> None:
    results = list(open_executor(engine, workers=2).run(make_doubler, range(12)))
    assert sorted(double for double, _, _ in results) == [2 * number for number in range(12)]
    counts: dict[int, list[int]] = {}
    for _, made_in, count in results:
        counts.setdefault(made_in, []).append(count)
    assert os.getpid() not in counts
    assert len(counts) <= 2
    assert all(sorted(seen) == list(range(1, len(seen) + 1)) for seen in counts.values())


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_what_a_worker_raises_stops_the_work_with_its_words(engine: Engine) -> None:
    with pytest.raises(EngineError, match="a worker raised NotFound: there is no number '13'"):
        list(open_executor(engine, workers=1).run(make_doubler, [13, 1, 2]))


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_worker_that_dies_is_said_so(engine: Engine) -> None:
    with pytest.raises(EngineError, match=r"died|lost"):
        list(open_executor(engine, workers=1).run(make_doubler, [666]))


@pytest.mark.skipif(HAS_RAY, reason="ray is installed")
def test_without_ray_the_message_says_how_to_get_it() -> None:
    with pytest.raises(MissingExtra, match=r"pip install 'duologue\[ray\]'"):
        list(open_executor("ray", workers=2).run(make_doubler, [1]))
