"""The plan of a study: how many judgments, what they can show, and what they cost, with every assumption."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from duologue.errors import DesignError
from duologue.protocols import option_flag
from duologue.stats import (
    MOST_JUDGMENTS,
    AllThatApply,
    ClusteredDesign,
    Design,
    DesignEffect,
    DetectableGap,
    ForcedChoice,
    PilotDiscordance,
    PilotEffect,
    SampleSize,
    SequentialPlan,
    SimulatedPower,
    detectable_gap,
    operating_characteristics,
    plan_sequential,
    sample_size,
    simulate_power,
    stopping_rule,
)
from duologue.studies.planning.designs import Alternative, PlannedDesign, plural
from duologue.studies.planning.planner import planned_design
from duologue.studies.planning.request import COMMON, PlanRequest
from duologue.studies.planning.timing import PERSON_SECONDS
from duologue.studies.spreading import judged_twice_of, repeats_of

_FINEST_SEQUENTIAL_GAP = 0.1
"""Below it the exact computation takes long, and numbers grow with 1/gap² to within a few per cent."""


@dataclass(frozen=True, slots=True)
class PowerPoint:
    """Chance of finding a gap with so many judgments."""

    judgments: int
    gap: float
    power: float


@dataclass(frozen=True, slots=True)
class Work:
    """What has to be done for the whole study: dialogues, annotators, hours and money."""

    judgments: int
    """Over all matchups, bots or groups, arms and parts; onboarding and second judgments apart."""
    dialogues: int
    dialogues_are: str
    annotators: int
    per_annotator: int
    onboarding: int
    hours: float
    seconds: float
    cost: float | None
    pay: float | None
    currency: str
    second_judgments: int = 0
    """Of the items that are judged twice; no verdict counts them."""
    besides: int = 0
    """Attention checks and repeated items, which are paid like any other."""
    answers: int = 0
    """How often somebody answers: as many as there are judgments, but for rankings."""
    read: int = 0
    """Dialogues that are read in all, each as often as it is; 0 where none are read."""
    seconds_from: str = ""
    """Where the seconds come from, where nobody stated them."""
    person_seconds: float = PERSON_SECONDS
    """What each annotator needs beside judgments; part of the hours."""


@dataclass(frozen=True, slots=True)
class EarlyStop:
    """What a sequential study does when the true gap is ``gap``."""

    gap: float
    expected: float
    """Judgments on average."""
    nine_in_ten: int
    """Nine studies in ten are over by then."""
    verdict: float
    """Chance of a verdict."""


@dataclass(frozen=True, slots=True)
class SequentialDesign:
    """What stopping early would do: the rule, and what to expect of it."""

    plan: SequentialPlan
    scale: float
    """Judgments for each one that the rule counts."""
    because: tuple[str, ...]
    """Why there is more than one for each: the outlook is then approximate."""
    outlook: tuple[EarlyStop, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """How many judgments a study needs, what they can show, what they cost, and what all that rests on."""

    title: str
    unit: str
    judgments: int
    """The number to collect for each matchup, bot or group; the paper's own when it was asked for."""
    convention: str
    """Where ``judgments`` comes from: "exact" or "paper"."""
    sets: int
    """How many matchups, bots or groups need that many each, arms included."""
    sets_are: str
    gap: float
    readings: tuple[str, ...]
    """The gap in words, in the ways in which papers state it."""
    design: Design
    exact: SampleSize
    """The recommended number of independent judgments, and its assumptions."""
    paper: SampleSize | None
    """What the convention of the protocol's paper gives, where it has one."""
    achieved: float
    """Power of ``judgments``."""
    effect: DesignEffect | None
    effective: int
    """How many independent judgments ``judgments`` are worth."""
    work: Work
    over_gaps: tuple[PowerPoint, ...]
    over_judgments: tuple[PowerPoint, ...]
    affordable: DetectableGap | None
    """The smallest gap that the judgments or the money asked about can show."""
    alternatives: tuple[Alternative, ...]
    sequential: SequentialDesign | None
    pilot: PilotEffect | PilotDiscordance | None
    notes: tuple[str, ...]
    comparison_notes: tuple[str, ...]
    """What stands below a table of several plans."""
    request: PlanRequest
    """What was asked for, with every open choice filled in."""
    simulated: SimulatedPower | None = None

    @property
    def deciding(self) -> Design:
        """The design with the test by clusters, where judgments come in clusters."""
        return _deciding(self.design, self.effect)


def make_plan(request: PlanRequest) -> Plan:
    """Plan a study: the number of judgments, what they can show, and what they cost.

    Args:
        request: The design, the gap, and what judgments cost.

    Raises:
        DesignError: The request contradicts itself or asks for the impossible; says what to change.

    Example:
        >>> make_plan(PlanRequest(gap=0.2)).judgments
        210
    """
    _require_counts(request)
    _require_costs(request)
    planned = planned_design(request)
    filled, design, gap = planned.request, planned.design, planned.gap
    exact = sample_size(design, gap, power=filled.power)
    chosen = _chosen(planned, exact)
    effect = _design_effect(planned)
    deciding = _deciding(design, effect)
    if effect is None:
        judgments = chosen.judgments
    elif filled.is_paper:
        judgments = effect.inflate(chosen.judgments)
    else:
        judgments = sample_size(deciding, gap, power=filled.power).judgments
    effective = judgments if effect is None else effect.effective(judgments)
    sets = planned.sets * _at_least_one("arms", filled.arms)
    affordable, notes = _affordable(planned, deciding, sets)
    return Plan(
        title=planned.title,
        unit=planned.unit,
        judgments=judgments,
        convention="paper" if filled.is_paper else "exact",
        sets=sets,
        sets_are=_in_arms(planned, filled.arms),
        gap=gap,
        readings=planned.readings,
        design=design,
        exact=exact,
        paper=planned.paper,
        achieved=float(deciding.power([judgments], gap)[0]),
        effect=effect,
        effective=effective,
        work=_work(planned, judgments, sets),
        over_gaps=_over_gaps(planned, deciding, judgments),
        over_judgments=_over_judgments(planned, deciding, judgments),
        affordable=affordable,
        alternatives=_inflated(planned, effect, judgments / chosen.judgments),
        sequential=_sequential(planned) if effect is None else None,
        pilot=planned.pilot,
        notes=(
            *([filled.part] if filled.part else ()),
            *planned.notes,
            *planned.notes_on(judgments),
            *(planned.notes_on(filled.judgments) if filled.judgments else ()),
            *notes,
            *_cluster_note(planned, effect),
        ),
        comparison_notes=planned.comparison_notes,
        request=filled,
    )


def hours_of(planned: PlannedDesign) -> float:
    """The person-hours of a design with the judgments that it needs, for planners that choose a design."""
    deciding = _deciding(planned.design, _design_effect(planned))
    judgments = sample_size(deciding, planned.gap, power=planned.request.power).judgments
    return _work(planned, judgments, planned.sets).hours


def simulate_plan(plan: Plan, *, studies: int, seed: int, on_study: Callable[[], None] | None = None) -> Plan:
    """Check a plan by playing its whole design through on simulated judgments.

    Args:
        plan: The plan.
        studies: Made-up studies with the gap, and as many without it.
        seed: Where the randomness comes from.
        on_study: Called after each simulated study.

    Returns:
        The plan with its ``simulated`` power.
    """
    simulated = simulate_power(
        plan.design,
        plan.judgments,
        plan.gap,
        studies=studies,
        rng=np.random.default_rng(seed),
        clusters=plan.effect,
        on_study=on_study,
    )
    return dataclasses.replace(plan, simulated=simulated)


def _chosen(planned: PlannedDesign, exact: SampleSize) -> SampleSize:
    if not planned.request.is_paper:
        return exact
    if planned.paper is None:
        raise DesignError(
            f"the {planned.request.protocol} paper has no number for this design ({planned.title}). "
            "Leave --paper out."
        )
    return planned.paper


def _deciding(design: Design, effect: DesignEffect | None) -> Design:
    return design if effect is None else ClusteredDesign(design=design, effect=effect)


def _design_effect(planned: PlannedDesign) -> DesignEffect | None:
    request = planned.request
    size, icc = request.cluster_size, request.icc
    if planned.is_test_clustered:
        return None if size is None or icc is None else DesignEffect(icc=icc, cluster_size=size)
    if icc is None:
        if size is not None:
            raise DesignError("--cluster-size needs --icc: how alike are judgments of one cluster?")
        return None
    return DesignEffect(icc=icc, cluster_size=size or _cluster_size(planned))


def _cluster_size(planned: PlannedDesign) -> float:
    """Judgments of one annotator in one matchup, unless the design says."""
    request = planned.request
    if planned.cluster_size is not None:
        return planned.cluster_size
    return max(1.0, (request.per_annotator or 1) / (request.matchups or 1))


def _inflated(planned: PlannedDesign, effect: DesignEffect | None, times: float) -> tuple[Alternative, ...]:
    """The alternatives, grown as much as the number itself."""
    if effect is None:
        return planned.alternatives
    if not planned.is_effect_shared:
        return ()
    return tuple(
        Alternative(math.ceil(round(other.judgments * times, 6)), other.what)
        for other in planned.alternatives
    )


def _cluster_note(planned: PlannedDesign, effect: DesignEffect | None) -> tuple[str, ...]:
    if planned.is_test_clustered:
        return ()
    if effect is not None and not planned.can_stop_early:
        return ()
    if effect is not None:
        return ("to stop early in spite of clusters, bet on their means: see docs/stopping-early.md.",)
    size = _cluster_size(planned)
    if size == 1:
        return ()
    grown = ", ".join(
        f"{DesignEffect(icc=icc, cluster_size=size).factor:.3g} at {icc:g}" for icc in (0.05, 0.1, 0.2)
    )
    return (
        f"judgments are taken as independent. If the {size:g} {planned.clusters_are} are alike (ICC), "
        f"multiply by {grown}: state it with --icc.",
    )


def _work(planned: PlannedDesign, judgments: int, sets: int) -> Work:
    request = planned.request
    more = 1 + request.elsewhere
    total = math.ceil(round(judgments * sets * more, 6))
    per_annotator = _answers_each(request)
    seconds = request.seconds or 60.0
    each = PERSON_SECONDS if request.person_seconds is None else request.person_seconds
    answers = math.ceil(total / planned.at_a_time)
    second = math.ceil(sets * more * judged_twice_of(request.judged_twice, judgments) / planned.at_a_time)
    annotators = math.ceil(round((answers + second) / per_annotator, 6))
    again = repeats_of(request.repeat, round(per_annotator))
    besides = math.ceil(
        round((answers + second) * request.checked + annotators * (request.checks + again), 6)
    )
    paid = answers + second + annotators * request.onboarding + besides
    return Work(
        judgments=total,
        dialogues=round(more * planned.dialogues.number(judgments, sets)),
        dialogues_are=planned.dialogues.say(judgments, sets),
        annotators=annotators,
        per_annotator=round(per_annotator),
        onboarding=request.onboarding,
        hours=(paid * seconds + annotators * each) / 3600,
        seconds=seconds,
        cost=None if request.pay is None else paid * request.pay,
        pay=request.pay,
        currency=request.currency,
        second_judgments=second,
        besides=besides,
        answers=answers,
        read=planned.read_at_a_time * paid,
        seconds_from=request.seconds_from,
        person_seconds=each,
    )


def _answers_each(request: PlanRequest) -> float:
    """What one annotator answers in all arms that they go through, and in all parts of the study."""
    each = _at_least_one("per-annotator", request.per_annotator or 1)
    return each * min(request.arms_each, request.arms) * (1 + request.elsewhere)


_NO_COUNTS = frozenset({"seconds", "pay", "budget"})


def _require_counts(request: PlanRequest) -> None:
    """Refuse numbers that no study has, before anything is worked out with them."""
    stated = {name: getattr(request, name) for name in COMMON - _NO_COUNTS}
    stated |= {} if request.options is None else dict(request.options)
    for name, value in sorted(stated.items()):
        if isinstance(value, int | float) and not -MOST_JUDGMENTS <= value <= MOST_JUDGMENTS:
            raise DesignError(
                f"{option_flag(name)}, or what the study file says of it, must be at most {MOST_JUDGMENTS:,}."
            )


def _require_costs(request: PlanRequest) -> None:
    if request.seconds is not None and not 0 < request.seconds < math.inf:
        raise DesignError(f"--seconds must be positive; got {request.seconds:g}.")
    if request.pay is not None and not 0 <= request.pay < math.inf:
        raise DesignError(f"--pay must not be negative; got {request.pay:g}.")


def _over_gaps(planned: PlannedDesign, deciding: Design, judgments: int) -> tuple[PowerPoint, ...]:
    top = min(planned.design.largest_gap, 2.5 * planned.gap)
    gaps = np.unique(np.append(np.linspace(top / 40, top, 40), planned.gap))
    return tuple(
        PowerPoint(judgments, float(gap), float(deciding.power([judgments], float(gap))[0])) for gap in gaps
    )


def _over_judgments(planned: PlannedDesign, deciding: Design, judgments: int) -> tuple[PowerPoint, ...]:
    numbers = np.unique(
        np.append(np.linspace(2, max(2.0 * judgments, 20), 60).astype(int), judgments)
    ).tolist()
    powers = deciding.power(numbers, planned.gap)
    return tuple(
        PowerPoint(number, planned.gap, float(power)) for number, power in zip(numbers, powers, strict=True)
    )


def _affordable(
    planned: PlannedDesign, deciding: Design, sets: int
) -> tuple[DetectableGap | None, tuple[str, ...]]:
    """The gap that the judgments or money asked about can show, or why there is none."""
    request = planned.request
    if request.judgments is None and request.budget is None:
        return None, ()
    if request.judgments is not None and request.budget is not None:
        raise DesignError("--judgments and --budget both ask what can be shown: give one of them.")
    judgments = request.judgments
    if judgments is None:
        judgments = _bought(request, sets) * planned.at_a_time
    try:
        found = detectable_gap(judgments, power=request.power, design=deciding, unit=planned.unit)
    except DesignError as error:
        return None, (str(error),)
    if planned.widest_gap is not None and found.gap > planned.widest_gap:
        return None, (
            f"{judgments:,} {planned.unit} show no gap of this scale with power {request.power:g}: it would "
            f"have to be {found.gap:.3g}, and no two means are more than {planned.widest_gap:g} apart.",
        )
    return found, ()


def _bought(request: PlanRequest, sets: int) -> int:
    """Judgments for each set that the budget pays for, all that is asked besides included."""
    if not request.pay:
        raise DesignError("--budget needs --pay: what does a judgment cost?")
    per_annotator = _answers_each(request)
    again = repeats_of(request.repeat, round(per_annotator))
    others = request.onboarding + request.checks + again + per_annotator * request.checked
    share_of_work = (
        per_annotator / (per_annotator + others) / (1 + request.judged_twice) / (1 + request.elsewhere)
    )
    bought = _positive(request.budget) / request.pay * share_of_work / sets
    if bought > MOST_JUDGMENTS:
        raise DesignError(f"--budget pays for more than {MOST_JUDGMENTS:,} judgments each. Give less.")
    return math.floor(bought)


def _sequential(planned: PlannedDesign) -> SequentialDesign | None:
    """The mixture SPRT for two bots; on discordant turns when all that apply may be selected."""
    design, gap = planned.design, planned.gap
    if not planned.can_stop_early:
        return None
    speaking, because = 1.0, list[str]()
    if isinstance(design, AllThatApply):
        speaking = design.discordance
        because.append("only turns that select one of the two bots count in the rule")
    elif not isinstance(design, ForcedChoice):
        return None
    true_gap = gap / speaking
    if true_gap >= 1:
        return None
    looked_for = max(true_gap, _FINEST_SEQUENTIAL_GAP)
    if looked_for > true_gap:
        because.append(f"worked out for a gap of {looked_for:g} and scaled by its square")
    scale = (looked_for / true_gap) ** 2 / speaking
    plan = plan_sequential(looked_for, alpha=design.alpha, power=planned.request.power)
    shares = [share for share in (0.0, 0.5, 1.0, 1.5, 2.0) if share * looked_for <= 1]
    results = operating_characteristics(
        stopping_rule(plan), [(1 + share * looked_for) / 2 for share in shares]
    )
    outlook = tuple(
        EarlyStop(
            gap=share * gap,
            expected=result.expected * scale,
            nine_in_ten=math.ceil(result.nine_in_ten * scale),
            verdict=result.verdict,
        )
        for share, result in zip(shares, results, strict=True)
    )
    return SequentialDesign(plan=plan, scale=scale, because=tuple(because), outlook=outlook)


def _at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise DesignError(f"--{name} must be at least 1; got {value}.")
    return value


def _positive(value: float | None) -> float:
    if value is None or not 0 < value < math.inf:
        raise DesignError(f"--budget must be positive; got {value}.")
    return value


def _in_arms(planned: PlannedDesign, arms: int) -> str:
    """What needs so many judgments each, arms included: what is one in an arm is several in all of them."""
    if arms == 1:
        return planned.sets_are
    noun, *rest = planned.sets_are.split(" ")
    nouns = plural(arms, noun) if planned.sets == 1 else noun
    return f"{' '.join([nouns, *rest])} in {arms} arms"
