"""What a plan is asked for: the design, the gap of interest, and what judgments cost."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar, get_args

from duologue.acute import AcuteSettings, matchups_of
from duologue.dialogues import index_dialogues
from duologue.errors import DesignError
from duologue.likert import LikertSettings
from duologue.protocols import read_items
from duologue.studies.drawing import planned_items
from duologue.studies.load import load_study
from duologue.studies.model import Study
from duologue.studies.planned_number import ratings_of_one_annotator, tests_sharing_alpha

ProtocolName = Literal["acute", "per-turn", "likert", "nuc"]
Mechanism = Literal["pairwise", "multi", "single"]
Setting = Literal["soba", "sata"]
PlannedTest = Literal["exact", "mid-p"]
Correction = Literal["holm", "none"]
Verdicts = Literal["direct", "pooled"]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """Everything a plan can be asked for; what is None is filled in by the design, or means "not stated".

    ``judgments`` and ``budget`` ask the other way round: what gap can so many judgments (for each
    matchup, bot or group) or so much money show?
    """

    protocol: ProtocolName = "acute"
    mechanism: Mechanism | None = None
    """Per-turn only: two bots a turn, all bots a turn, or one."""
    setting: Setting | None = None
    """Per-turn only: select one best, or select all that apply."""
    gap: float | None = None
    """Difference between two bots, or between a bot and the standard; in points for likert."""
    alpha: float = 0.05
    power: float = 0.80
    bots: int | None = None
    matchups: int | None = None
    """How many pairs of bots are compared; all pairs of the bots when not stated."""
    tests: int | None = None
    """How many tests share alpha, where it is not one for each matchup: several arms or questions do."""
    correction: Correction = "holm"
    verdicts: Verdicts = "direct"
    """Acute only: which verdicts decide, of each matchup by itself or of strengths pooled over all."""
    null: float | None = None
    """The standard that one bot, or one group's recall, is held against."""
    base: float | None = None
    """Nuc only: the share of right answers in one of two groups."""
    discordance: float | None = None
    """Share of turns on which exactly one of two bots is selected."""
    pilot: tuple[int, ...] | None = None
    """Soba: how often each bot was chosen. Sata: turns on which 0, 1, …, k bots were selected."""
    pilot_w: float | None = None
    """Cohen's w of a pilot, as the per-turn paper used one; only for its convention."""
    is_paper: bool = False
    """Size the study as the per-turn paper does."""
    test: PlannedTest | None = None
    sd: float | None = None
    """Likert only: standard deviation of one rating of one bot."""
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
    arms: int = 1
    seconds: float | None = None
    """Seconds a judgment takes."""
    pay: float | None = None
    """Money for a judgment."""
    currency: str = "USD"


def request_from_flags(flags: Mapping[str, object], *, study: Path | str | None = None) -> PlanRequest:
    """A request from flags by the names of `PlanRequest`, on top of what a study says if one is given.

    Flags that are None are not given. A pilot may be text, ``"56,38,54,52"``.

    Args:
        flags: What was asked for on the command line.
        study: A study's folder; flags go before what its file says.

    Raises:
        DesignError: A flag is not one of its choices, or contradicts the study.
        StudyError: There is no study, or its file is wrong.

    Example:
        >>> request_from_flags({"protocol": "per-turn", "pilot": "56,38,54,52", "gap": None}).pilot
        (56, 38, 54, 52)
    """
    given = {name: value for name, value in flags.items() if value is not None}
    for name, choices in _CHOICES.items():
        if name in given and given[name] not in choices:
            raise DesignError(f"--{name} is one of {', '.join(choices)}; got {given[name]}.")
    if isinstance(given.get("pilot"), str):
        given["pilot"] = _counts(str(given["pilot"]))
    if study is None:
        return PlanRequest(**given)  # type: ignore[arg-type]
    return _overruled(request_from_study(load_study(study)), given)


_CHOICES: dict[str, tuple[str, ...]] = {
    "protocol": get_args(ProtocolName),
    "mechanism": get_args(Mechanism),
    "setting": get_args(Setting),
    "test": get_args(PlannedTest),
    "correction": get_args(Correction),
    "verdicts": get_args(Verdicts),
}


def _counts(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise DesignError(f"a pilot is a row of counts such as 56,38,54,52; got {text!r}.") from None


def _overruled(request: PlanRequest, given: dict[str, object]) -> PlanRequest:
    """The study's own request where flags say nothing else."""
    if given.get("protocol", request.protocol) != request.protocol:
        raise DesignError(
            f"the study's protocol is {request.protocol}, not {given['protocol']}. Leave --protocol out."
        )
    if "bots" in given:
        given.setdefault("matchups", None)
    if "bots" in given or "matchups" in given or "arms" in given:
        given.setdefault("tests", None)
    if "budget" in given:
        given.setdefault("judgments", None)
    return dataclasses.replace(request, **given)  # type: ignore[arg-type]


def request_from_study(study: Study) -> PlanRequest:
    """What a study file says about its plan: protocol, matchups, level, pay and caps.

    The number of judgments for each matchup that the study has (or its file asks for) becomes the
    question "what gap can so many show?".

    Raises:
        DesignError: The study's protocol is one that cannot be planned.
    """
    known: tuple[ProtocolName, ...] = get_args(ProtocolName)
    name = next((one for one in known if one == study.file.study.protocol), None)
    if name is None:
        raise DesignError(f"studies of the protocol {study.file.study.protocol!r} cannot be planned yet.")
    matchups, judgments = _matchups_of(study)
    pay = study.file.pay
    request = PlanRequest(
        protocol=name,
        alpha=study.file.stopping.alpha,
        power=study.file.stopping.power,
        arms=len(study.arms),
        seconds=pay.seconds_per_judgment,
        pay=pay.per_judgment or None,
        currency=pay.currency,
        onboarding=study.caps.onboarding_comparisons,
    )
    if isinstance(study.settings, LikertSettings):
        return _ratings_request(request, study, study.settings)
    return dataclasses.replace(
        request,
        gap=study.file.stopping.gap,
        matchups=matchups,
        tests=None if matchups is None else tests_sharing_alpha(study, matchups),
        judgments=judgments,
        per_annotator=study.caps.max_judgments,
        verdicts=getattr(study.settings, "verdicts", "direct"),
    )


def _ratings_request(request: PlanRequest, study: Study, settings: LikertSettings) -> PlanRequest:
    """Ratings as the study collects them: of how many bots, how many by one annotator, on which dialogues."""
    groups = Counter(item.group for item in planned_items(study))
    copies = study.caps.annotations_per_item
    known = dataclasses.replace(
        request, gap=settings.gap, icc=study.file.stopping.icc, cluster_size=copies if copies > 1 else None
    )
    if len(groups) < 2:
        return known
    pairs = len(groups) * (len(groups) - 1) // 2
    return dataclasses.replace(
        known,
        bots=len(groups),
        tests=tests_sharing_alpha(study, pairs),
        per_annotator=ratings_of_one_annotator(study, len(groups)),
        judgments=min(groups.values()) * copies,
    )


def _matchups_of(study: Study) -> tuple[int | None, int | None]:
    """How many matchups the study has and the fewest judgments any of them gets, as far as is known."""
    copies = study.caps.annotations_per_item
    if study.items_path.exists():
        counts: dict[str, int] = {}
        for item in read_items(study.items_path):
            if not item.is_onboarding:
                counts[item.group] = counts.get(item.group, 0) + 1
        if counts:
            return len(counts), min(counts.values()) * copies
    if not isinstance(study.settings, AcuteSettings):
        return None, None
    pairings = study.settings.pairings
    bots = {head.bot for head in index_dialogues(study.folder)} | {bot.name for bot in study.file.bots}
    matchups = len(matchups_of(bots, pairings)) if len(bots) > 1 else None
    return matchups, None if pairings.per_matchup == "plan" else pairings.per_matchup * copies


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


def fill_turns(request: PlanRequest) -> PlanRequest:
    """Live chats: ten turns a dialogue, one dialogue an annotator, half a minute a turn unless stated."""
    filled = fill(request, turns_per_dialogue=10, seconds=30.0)
    return fill(filled, per_annotator=filled.turns_per_dialogue)


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


def gap_of(request: PlanRequest) -> float:
    """The gap, filled in before."""
    return float(required(request.gap))


def required(value: Value | None) -> Value:
    """A number that was filled in before."""
    if value is None:
        raise DesignError("the plan lacks a number that it needs.")
    return value
