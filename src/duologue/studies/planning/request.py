"""What a plan is asked for: the design, the gap of interest, and what judgments cost."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal, TypeVar

from duologue.errors import DesignError
from duologue.protocols import DEFAULT_PROTOCOL, PlanOptions, option_flag

PlannedTest = Literal["exact", "mid-p"]
Correction = Literal["holm", "none"]
Options = TypeVar("Options", bound=PlanOptions)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What any plan can be asked for, and in ``options`` what only plans of its protocol can.

    What is None is filled in by the design, or means "not stated".

    ``judgments`` and ``budget`` ask the other way round: what gap can so many judgments (for each
    matchup, bot or group) or so much money show?
    """

    protocol: str = DEFAULT_PROTOCOL
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
    is_paper: bool = False
    """Size the study as the protocol's paper does."""
    test: PlannedTest | None = None
    icc: float | None = None
    """How alike judgments of one cluster are; not stated means independent judgments."""
    cluster_size: float | None = None
    """Judgments by one annotator, or of one dialogue."""
    judgments: int | None = None
    budget: float | None = None
    per_annotator: int | None = None
    onboarding: int = 0
    """Onboarding comparisons each annotator does first; they cost time and money too."""
    checks: float = 0.0
    """Attention checks that each annotator meets."""
    checked: float = 0.0
    """Attention checks for each judgment."""
    repeat: float = 0.0
    """Share of what an annotator judges that comes a second time, rounded for each."""
    judged_twice: float = 0.0
    """Share of the items that a second annotator judges: it costs time and money; no verdict counts it."""
    arms: int = 1
    arms_each: int = 1
    """Arms that one annotator goes through; every number for one annotator holds in each of them."""
    elsewhere: float = 0.0
    """Judgments that an annotator gives in other parts of the study, for each one in the part sized."""
    seconds: float | None = None
    """Seconds a judgment takes."""
    seconds_from: str = ""
    """Where they come from, where nobody stated them."""
    person_seconds: float | None = None
    """Seconds a person needs beside judgments: consent, instructions, forms."""
    pay: float | None = None
    """Money for a judgment."""
    currency: str = "USD"
    options: PlanOptions | None = None
    """What only plans of the protocol can be asked for; None means that nothing of it was stated."""

    def options_as(self, kind: type[Options]) -> Options:
        """The options of a protocol, as it has them; those by default where none were given.

        Raises:
            DesignError: They are those of another protocol.
        """
        return kind.taken_from(self.options, of=f"a plan of the protocol {self.protocol}")


COMMON = frozenset(field.name for field in dataclasses.fields(PlanRequest)) - {"options"}
"""What any plan can be asked for; all else is an option of a protocol."""


def refuse_meaningless(request: PlanRequest, *meaningless: str, design: str = "") -> None:
    """Refuse what has no meaning in this design, rather than leave it out silently.

    Args:
        request: What is asked for.
        meaningless: Names of the request, or of the options in it.
        design: Which design of the protocol it is, where there are several.
    """
    for name in meaningless:
        asked = request if name in COMMON else request.options
        value = None if asked is None else getattr(asked, name)
        if value is not None and value is not False:
            said = f"{request.protocol}, {design}" if design else request.protocol
            raise DesignError(f"{option_flag(name)} has no meaning in this design ({said}). Leave it out.")


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


def say_shared_alpha(tests: int, *, is_sequential: bool = False) -> str:
    """That several tests share the error rate, to be added to a sentence; nothing where there is one."""
    how = "Bonferroni" if is_sequential else "Holm's strictest step"
    return "" if tests == 1 else f" (alpha shared by {tests:,} tests, {how})"


def gap_of(request: PlanRequest) -> float:
    """The gap, filled in before."""
    return float(required(request.gap))


def required(value: Value | None) -> Value:
    """A number that was filled in before."""
    if value is None:
        raise DesignError("the plan lacks a number that it needs.")
    return value
