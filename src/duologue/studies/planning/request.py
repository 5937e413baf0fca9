"""What a plan is asked for: the design, the gap of interest, and what judgments cost."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

from duologue.errors import DesignError
from duologue.protocols import DEFAULT_PROTOCOL

PlannedTest = Literal["exact", "mid-p"]
Correction = Literal["holm", "none"]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """Everything a plan can be asked for; what is None is filled in by the design, or means "not stated".

    ``judgments`` and ``budget`` ask the other way round: what gap can so many judgments (for each
    matchup, bot or group) or so much money show?
    """

    protocol: str = DEFAULT_PROTOCOL
    mechanism: str | None = None
    """How many bots are judged at a time, where a protocol has several ways."""
    setting: str | None = None
    """What is selected at a time, where a protocol has several ways."""
    gap: float | None = None
    """Difference between two bots, or between a bot and the standard; in points where bots are rated."""
    alpha: float = 0.05
    power: float = 0.80
    bots: int | None = None
    matchups: int | None = None
    """How many pairs of bots are compared; all pairs of the bots when not stated."""
    tests: int | None = None
    """How many tests share alpha, where it is not one for each matchup: several arms or questions do."""
    part: str = ""
    """What of a study is sized, in a sentence, where that is not all of it."""
    correction: Correction = "holm"
    verdicts: str | None = None
    """Which verdicts decide, where a protocol has several."""
    answer: str | None = None
    """What is answered, where a protocol has several ways."""
    collect: str | None = None
    """How dialogues come about, where a protocol has several ways."""
    null: float | None = None
    """The standard that one bot, or one group's recall, is compared with."""
    base: float | None = None
    """The share of right answers in one of two groups."""
    discordance: float | None = None
    """Share of turns on which exactly one of two bots is selected."""
    pilot: tuple[int, ...] | None = None
    """How often each bot was chosen; or turns on which 0, 1, …, k bots were selected."""
    pilot_w: float | None = None
    """Cohen's w of a pilot, for a paper's convention that used one."""
    is_paper: bool = False
    """Size the study as the protocol's paper does."""
    test: PlannedTest | None = None
    sd: float | None = None
    """Standard deviation of one rating of one bot."""
    icc: float | None = None
    """How alike judgments of one cluster are; not stated means independent judgments."""
    cluster_size: float | None = None
    """Judgments by one annotator, or turns of one dialogue."""
    judgments: int | None = None
    budget: float | None = None
    turns_per_dialogue: int | None = None
    per_annotator: int | None = None
    onboarding: int = 0
    """Onboarding comparisons each annotator does first; they cost time and money too."""
    judged_twice: float = 0.0
    """Share of the items that a second annotator judges: it costs time and money; no verdict counts it."""
    arms: int = 1
    bots_in_all: int | None = None
    """Bots of all arms of a study: how many designs are compared for, where no arm has them all."""
    seconds: float | None = None
    """Seconds a judgment takes."""
    measured: tuple[tuple[str, float], ...] = ()
    """Median seconds of a judgment that the study has measured, by what was answered."""
    pay: float | None = None
    """Money for a judgment."""
    currency: str = "USD"

    def protocol_choices(self) -> Iterator[str]:
        """The choices made that only some protocols have."""
        return (name for name in PROTOCOL_CHOICES if getattr(self, name) is not None)


PROTOCOL_CHOICES = ("mechanism", "setting", "verdicts", "answer", "collect")


_FLAGS = {
    "null": "--null",
    "base": "--base",
    "discordance": "--discordance",
    "pilot": "--pilot",
    "pilot_w": "--pilot-w",
    "sd": "--sd",
    "turns_per_dialogue": "--turns-per-dialogue",
    "bots": "--bots",
    "matchups": "--matchups",
    "test": "--test",
}


def refuse_meaningless(request: PlanRequest, *meaningless: str) -> None:
    """Refuse what has no meaning in this design, rather than leave it out silently."""
    for name in meaningless:
        if getattr(request, name) is not None:
            parts = [request.protocol, request.mechanism, request.setting]
            design = ", ".join(part for part in parts if part)
            raise DesignError(f"{_FLAGS[name]} has no meaning in this design ({design}). Leave it out.")


def fill(request: PlanRequest, **defaults: object) -> PlanRequest:
    """The request with open choices filled in."""
    still_open = {name: value for name, value in defaults.items() if getattr(request, name) is None}
    return dataclasses.replace(request, **still_open)  # type: ignore[arg-type]


def several_bots(request: PlanRequest) -> int:
    """How many bots there are: at least two, and two unless stated.

    Raises:
        DesignError: There are fewer.
    """
    bots = 2 if request.bots is None else request.bots
    if bots < 2:
        raise DesignError(f"a comparison needs at least two bots; got --bots {bots}.")
    return bots


def number_of_matchups(request: PlanRequest) -> int:
    """How many pairs of bots are compared: those stated, or all pairs of the bots.

    Raises:
        DesignError: There is nothing to compare.
    """
    bots = several_bots(request)
    matchups = bots * (bots - 1) // 2 if request.matchups is None else request.matchups
    if matchups < 1:
        raise DesignError(f"a comparison needs at least one matchup; got --matchups {matchups}.")
    return matchups


def level_of_each_test(request: PlanRequest) -> float:
    """The level of each test: Holm's first and strictest step when there are several."""
    tests = request.tests or request.matchups or 1
    return request.alpha / tests if request.correction == "holm" else request.alpha


def holm_note(request: PlanRequest) -> tuple[str, ...]:
    """What to say about the correction for several tests, when there are several."""
    tests = request.tests or request.matchups or 1
    if tests == 1 or request.correction == "none":
        return ()
    return (
        f"sized for Holm's strictest step over {tests} tests (alpha {level_of_each_test(request):.3g} each): "
        "some pairs will need less.",
    )


def say_shared_alpha(tests: int) -> str:
    """That several tests share the error rate, to be added to a sentence; nothing where there is one."""
    return "" if tests == 1 else f" (alpha shared by {tests:,} tests, Holm's strictest step)"


def gap_of(request: PlanRequest) -> float:
    """The gap, filled in before."""
    return float(required(request.gap))


def required(value: Value | None) -> Value:
    """A number that was filled in before."""
    if value is None:
        raise DesignError("the plan lacks a number that it needs.")
    return value
