"""The per-turn designs as they are planned: pairwise, multi and single; select one best or all that apply."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Literal

from duologue.errors import DesignError
from duologue.per_turn.design.numbers import counted_turns, tests_sharing_alpha
from duologue.per_turn.design.table import per_turn_settings
from duologue.per_turn.options import PerTurnPlanOptions
from duologue.per_turn.protocol import setting_of
from duologue.per_turn.rows import Setting
from duologue.per_turn.rules import FIRST_TURN
from duologue.per_turn.settings import mechanism_of
from duologue.protocols import say_count, say_percent
from duologue.stats import (
    OBSERVED_DISCORDANCE,
    AllThatApply,
    AllThatApplyOfMany,
    BestOfMany,
    ForcedChoice,
    PilotDiscordance,
    PilotEffect,
    RateAgainstStandard,
    paper_against_standard,
    paper_all_that_apply,
    paper_all_that_apply_of_many,
    paper_best_of_many,
    paper_forced_choice,
    pilot_discordance,
    pilot_effect,
    sample_size,
    turns_for_effect,
)
from duologue.studies import (
    Alternative,
    DialogueCount,
    PlannedDesign,
    PlanRequest,
    ProtocolPlanner,
    Study,
    fill,
    forced_choice_design,
    gap_of,
    holm_note,
    level_of_each_test,
    number_of_matchups,
    planned_items,
    plural,
    read_plan_options,
    refuse_meaningless,
    required,
    several_bots,
    standard_readings,
)

GAP = 0.1
"""Between two win rates, that designs are compared for unless another is stated."""

SECONDS = 30.0
"""Of one turn, unless that is stated."""

TURNS = 10
"""Judged in a dialogue unless that is stated."""

PARALLEL = "acute"
"""Two chats side by side, judged whole at the end, are planned as that protocol's comparisons."""


class PerTurnPlanner(ProtocolPlanner):
    """Candidate replies at every turn of a live chat."""

    def planned_design(self, request: PlanRequest) -> PlannedDesign:
        """Two bots a turn, all bots a turn, or one; select one best, or all that apply.

        Raises:
            DesignError: Mechanism or setting is missing, or something has no meaning in the design.
        """
        filled = _fill_turns(request)
        turns = _asked(filled).turns_per_dialogue
        return dataclasses.replace(
            _planned(filled),
            cluster_size=turns,
            clusters_are="turns of one dialogue",
            comparison_notes=(_correlated(filled.icc),),
        )

    def request(self, study: Study, common: PlanRequest) -> PlanRequest:
        """The turns of the primary arm, or of the first one, as the study collects them."""
        settings = per_turn_settings(study)
        items = tuple(planned_items(study))
        first = {item.group: item for item in reversed(items)}
        name = settings.primary or items[0].group
        turns = counted_turns(study, settings)
        known = dataclasses.replace(
            common,
            gap=settings.gap,
            icc=study.file.stopping.icc,
            cluster_size=turns,
            per_annotator=turns * _chats_each(study),
            seconds=None if common.seconds is None else common.seconds / turns,
            pay=None if common.pay is None else common.pay / turns,
        )
        item = first[name]
        mechanism, setting = mechanism_of(item.bots), setting_of(item)
        arms = [(arm, len(one.bots), setting_of(one)) for arm, one in first.items()]
        return dataclasses.replace(
            known,
            judgments=sum(one.group == name for one in items) * turns,
            bots=len(item.bots) if mechanism == "multi" else None,
            tests=tests_sharing_alpha(settings, arms),
            part=_part(name, [arm for arm in reversed(first) if arm != name]),
            options=PerTurnPlanOptions(
                mechanism=mechanism,
                setting=_SELECTED[setting],
                null=settings.null if mechanism == "single" else None,
                turns_per_dialogue=turns,
                first_counts=FIRST_TURN not in settings.rules,
                study_gap=settings.gap,
                bots_in_all=len({bot for one in items for bot in one.bots}),
            ),
        )

    def compared(self, request: PlanRequest) -> tuple[PlanRequest, ...]:
        """Two bots at a time or all at once, one best or all that apply, and parallel chats judged whole."""
        asked = _asked(request)
        bots = request.bots or max(2, asked.bots_in_all or 0)
        base = dataclasses.replace(
            request,
            gap=GAP if request.gap is None else request.gap,
            bots=bots,
            matchups=None,
            tests=None,
            part="",
            judgments=None,
        )
        found = [
            dataclasses.replace(
                base,
                options=asked.model_copy(update={"mechanism": mechanism, "setting": setting, "null": None}),
            )
            for mechanism in ("pairwise", "multi")
            for setting in ("soba", "sata")
            if mechanism == "pairwise" or bots > 2
        ]
        turns = asked.turns_per_dialogue or TURNS
        whole = dataclasses.replace(
            base,
            protocol=PARALLEL,
            options=read_plan_options(PARALLEL, {"collect": "parallel"}),
            matchups=bots * (bots - 1) // 2,
            icc=None,
            cluster_size=None,
            per_annotator=1,
            seconds=None if request.seconds is None else request.seconds * turns,
            pay=None if request.pay is None else request.pay * turns,
        )
        return (*found, whole)


def _chats_each(study: Study) -> int:
    """Chats of one arm that an annotator has at most; one each where chats are read."""
    each, most = study.caps.max_per_group or 1, study.caps.max_judgments
    return each if most is None else min(each, most)


_SELECTED: Mapping[Setting | None, Literal["soba", "sata"] | None] = {
    None: None,
    "soba": "soba",
    "sata-random": "sata",
    "sata-user": "sata",
}
"""What is selected, however a chat goes on."""


def _correlated(icc: float | None) -> str:
    if not icc:
        return "Turns of one dialogue are taken as independent, which they seldom are: state --icc."
    return f"Turns of one dialogue are assumed to correlate by {icc:g} (--icc)."


def _asked(request: PlanRequest) -> PerTurnPlanOptions:
    """What only plans of turns are asked for."""
    return request.options_as(PerTurnPlanOptions)


def _fill_turns(request: PlanRequest) -> PlanRequest:
    """Live chats: ten turns a dialogue, one dialogue an annotator, half a minute a turn unless stated.

    Turns that count carry the time of the first one, which is asked and screened.
    """
    options = _asked(request).fill(turns_per_dialogue=TURNS)
    filled = dataclasses.replace(request, options=options)
    turns = required(options.turns_per_dialogue)
    seconds = SECONDS * (1 if options.first_counts else (turns + 1) / turns)
    return fill(filled, seconds=seconds, per_annotator=turns)


def _chats(request: PlanRequest) -> DialogueCount:
    """Live chats of so many turns."""
    turns = required(_asked(request).turns_per_dialogue)
    return DialogueCount(
        f"live chats of {say_count(turns, 'turn')}",
        lambda judged, sets: math.ceil(judged / turns) * sets,
        "" if _asked(request).first_counts else "a first one that is screened",
    )


def _planned(request: PlanRequest) -> PlannedDesign:
    asked = _asked(request)
    match asked.mechanism, asked.setting:
        case "pairwise", "soba":
            return _pairwise_soba(request)
        case "pairwise", "sata":
            return _pairwise_sata(request)
        case "multi", "soba":
            return _multi_soba(request)
        case "multi", "sata":
            return _multi_sata(request)
        case "single", None | "sata":
            return _single(request)
    raise DesignError(
        "a per-turn plan needs --mechanism pairwise, multi or single, and for the first two "
        "--setting soba (select one best) or sata (select all that apply)."
    )


def _refuse(request: PlanRequest, *meaningless: str) -> None:
    """Refuse what has no meaning in this one of the designs."""
    parts = (_asked(request).mechanism, _asked(request).setting)
    refuse_meaningless(request, *meaningless, design=", ".join(part for part in parts if part))


def _part(name: str, others: Sequence[str]) -> str:
    """What of a study is sized, where it has more than one arm."""
    if not others:
        return ""
    beside = f"{', '.join(others)} {'are' if len(others) > 1 else 'is'} not in these numbers"
    return f"this is the arm {name} alone: {beside}. `duologue study check` says what each arm needs."


def _pairwise_soba(request: PlanRequest) -> PlannedDesign:
    _refuse(request, "null", "discordance", "pilot", "pilot_w")
    filled = fill(request, gap=0.2, test="exact", matchups=number_of_matchups(request))
    paper = paper_forced_choice(gap_of(filled), alpha=level_of_each_test(filled), power=filled.power)
    return forced_choice_design(
        filled,
        title="Per-turn, pairwise, select one best (PM-SOBA)",
        unit="turns",
        dialogues=_chats(request),
        stated_by=": how the per-turn paper states it when one must be chosen",
        paper=paper,
        alternatives=_other_tests(filled),
    )


def _other_tests(filled: PlanRequest) -> tuple[Alternative, ...]:
    """The numbers of the other binomial test, and of matchups that share no error rate."""
    gap, test = gap_of(filled), filled.test or "exact"
    other: Literal["exact", "mid-p"] = "mid-p" if test == "exact" else "exact"
    swapped = sample_size(ForcedChoice(alpha=level_of_each_test(filled), test=other), gap, power=filled.power)
    found = (Alternative(swapped.judgments, f"{other} binomial test"),)
    if (filled.matchups or 1) == 1:
        return found
    alone = sample_size(ForcedChoice(alpha=filled.alpha, test=test), gap, power=filled.power)
    return (*found, Alternative(alone.judgments, "each matchup on its own, without Holm's correction"))


def _pairwise_sata(request: PlanRequest) -> PlannedDesign:
    _refuse(request, "null", "pilot_w")
    pilot = _discordance_pilot(request, bots=2)
    discordance = _asked(request).discordance if pilot is None else pilot.cautious
    share = OBSERVED_DISCORDANCE if discordance is None else discordance
    filled = fill(
        _with_discordance(request, share), gap=0.1, test="mid-p", matchups=number_of_matchups(request)
    )
    gap, alpha = gap_of(filled), level_of_each_test(filled)
    test = filled.test or "mid-p"
    design = AllThatApply(discordance=share, alpha=alpha, test=test)
    other: Literal["exact", "mid-p"] = "exact" if test == "mid-p" else "mid-p"
    swapped = sample_size(dataclasses.replace(design, test=other), gap, power=filled.power)
    return PlannedDesign(
        title="Per-turn, pairwise, select all that apply (PM-SATA)",
        unit="turns",
        design=design,
        gap=gap,
        sets=filled.matchups or 1,
        sets_are=plural(filled.matchups or 1, "matchup"),
        dialogues=_chats(request),
        readings=(
            f"{gap:g} between the two bots' win rates (shares of turns on which each is selected)",
            f"{say_percent((share + gap) / (2 * share))} of the turns that select only one go to the better "
            "bot",
        ),
        request=filled,
        paper=paper_all_that_apply(gap, discordance=share, alpha=alpha, power=filled.power),
        alternatives=(Alternative(swapped.judgments, f"McNemar's test, {other}"),),
        notes=(*holm_note(filled), *_discordance_note(request, pilot, share)),
        pilot=pilot,
    )


def _multi_soba(request: PlanRequest) -> PlannedDesign:
    _refuse(request, "null", "discordance", "test", "matchups")
    asked = _asked(request)
    _check_one_size(request)
    filled = fill(request, gap=0.1, bots=len(asked.pilot) if asked.pilot else 4)
    bots, stated = several_bots(filled), gap_of(filled)
    alpha = level_of_each_test(filled)
    gap, pilot, notes, alternatives = stated, None, list[str](), list[Alternative]()
    if asked.pilot is not None:
        pilot = _effect_pilot(asked.pilot, bots)
        least = sample_size(BestOfMany(bots=bots, alpha=alpha), stated, power=filled.power)
        alternatives.append(
            Alternative(least.judgments, f"least favourable shares with a gap of {stated:g}; needs no pilot")
        )
        if pilot.shrunk > 0:
            gap = (2 * pilot.shrunk / bots) ** 0.5
            if asked.study_gap is not None:
                notes.append(f"the study's gap of {stated:g} is not used: the pilot says how large a gap is.")
        notes.append(_effect_note(pilot, filled))
    w = asked.pilot_w if pilot is None else pilot.raw**0.5
    paper = None
    if filled.is_paper or asked.pilot_w is not None:
        paper = paper_best_of_many(w, bots=bots, gap=stated, alpha=alpha, power=filled.power)
    return PlannedDesign(
        title=f"Per-turn, {bots} bots at once, select one best (MM-SOBA)",
        unit="turns",
        design=BestOfMany(bots=bots, alpha=alpha),
        gap=gap,
        sets=1,
        sets_are="test of all bots at once",
        dialogues=_chats(request),
        readings=(
            f"{gap:g} between the best and the worst bot: shares of {1 / bots + gap / 2:.3g} and "
            f"{1 / bots - gap / 2:.3g}, the others at {1 / bots:.3g}",
            f"{gap / 2:g} from the average share, either way",
        ),
        request=filled,
        paper=paper,
        alternatives=tuple(alternatives),
        notes=(
            *notes,
            *holm_note(filled),
            "the test says whether any bots differ, not which; for pairs plan --mechanism pairwise.",
        ),
        pilot=pilot,
    )


def _check_one_size(request: PlanRequest) -> None:
    """Refuse what says twice how large a difference the study is for.

    Raises:
        DesignError: A pilot is given, and its effect or a gap besides.
    """
    asked = _asked(request)
    if asked.pilot is None:
        return
    for flag, is_given in (
        ("--pilot-w", asked.pilot_w is not None),
        ("--gap", request.gap is not None and request.gap != asked.study_gap),
    ):
        if is_given:
            raise DesignError(f"{flag} and --pilot both say how large the difference is: give one of them.")


def _multi_sata(request: PlanRequest) -> PlannedDesign:
    _refuse(request, "null", "pilot_w", "test", "matchups")
    asked = _asked(request)
    filled = fill(request, gap=0.1, bots=len(asked.pilot) - 1 if asked.pilot else 4)
    bots, gap = several_bots(filled), gap_of(filled)
    pilot = _discordance_pilot(filled, bots=bots)
    stated = asked.discordance if pilot is None else pilot.cautious
    design = AllThatApplyOfMany(bots=bots, discordance=stated, alpha=filled.alpha)
    share = design.mean_discordance
    pairs = bots * (bots - 1) // 2
    sharing = filled.tests or pairs
    by_pairs = sample_size(
        AllThatApply(discordance=share, alpha=filled.alpha / sharing), gap, power=filled.power
    )
    paper = paper_all_that_apply_of_many(
        gap,
        bots=bots,
        discordance=OBSERVED_DISCORDANCE if stated is None else stated,
        alpha=filled.alpha,
        power=filled.power,
    )
    worst = (
        ()
        if stated is not None
        else (
            f"the discordance is taken as the worst that {bots} bots can have, {share:.3g}; state yours with "
            "--discordance, or give a --pilot.",
        )
    )
    return PlannedDesign(
        title=f"Per-turn, {bots} bots at once, select all that apply (MM-SATA)",
        unit="turns",
        design=design,
        gap=gap,
        sets=1,
        sets_are="test of all bots at once",
        dialogues=_chats(request),
        readings=(
            f"{gap:g} between the win rates of the best and the worst bot, the others between them",
            f"{gap / 2:g} from the average win rate, either way",
        ),
        request=_with_discordance(filled, share),
        paper=paper,
        alternatives=(
            Alternative(
                by_pairs.judgments,
                f"every one of the {pairs} pairs by McNemar's test with Holm's correction"
                + (f" over {sharing} tests" if sharing > pairs else ""),
            ),
        ),
        notes=(*worst, *_discordance_note(request, pilot, share)),
        pilot=pilot,
    )


def _single(request: PlanRequest) -> PlannedDesign:
    _refuse(request, "discordance", "pilot", "pilot_w", "bots", "matchups")
    options = _asked(request).fill(null=0.8)
    filled = fill(dataclasses.replace(request, options=options), gap=0.1, test="exact")
    gap, null = gap_of(filled), required(options.null)
    alpha = level_of_each_test(filled)
    design = RateAgainstStandard(null=null, alpha=alpha, test=filled.test or "exact")
    return PlannedDesign(
        title="Per-turn, one bot against a standard (SM)",
        unit="turns",
        design=design,
        gap=gap,
        sets=1,
        sets_are="bot",
        dialogues=_chats(request),
        readings=standard_readings(design, gap),
        request=filled,
        paper=paper_against_standard(gap, null=null, alpha=alpha, power=filled.power),
        notes=holm_note(filled),
    )


def _with_discordance(request: PlanRequest, share: float) -> PlanRequest:
    return dataclasses.replace(request, options=_asked(request).model_copy(update={"discordance": share}))


def _discordance_pilot(request: PlanRequest, *, bots: int) -> PilotDiscordance | None:
    asked = _asked(request)
    if asked.pilot is None:
        return None
    if asked.discordance is not None:
        raise DesignError(
            "--discordance and --pilot both say how often bots are told apart: give one of them."
        )
    if len(asked.pilot) != bots + 1:
        raise DesignError(
            f"a sata pilot of {bots} bots is {bots + 1} counts, the turns on which 0, 1, … {bots} bots were "
            f"selected; got {len(asked.pilot)}."
        )
    return pilot_discordance(asked.pilot)


def _discordance_note(request: PlanRequest, pilot: PilotDiscordance | None, share: float) -> tuple[str, ...]:
    if pilot is not None:
        return (
            f"the pilot of {pilot.turns} turns had a discordance of {pilot.seen:.3g}; the plan takes "
            f"{share:.3g}, the upper end of its 95 % interval.",
        )
    if _asked(request).mechanism == "pairwise" and _asked(request).discordance is None:
        return (
            f"the discordance is taken as {share:g}, what the per-turn paper saw; turns grow in proportion.",
        )
    return ()


def _effect_pilot(counts: tuple[int, ...], bots: int) -> PilotEffect:
    if len(counts) != bots:
        raise DesignError(
            f"a soba pilot of {bots} bots is {bots} counts, one for each bot; got {len(counts)}."
        )
    return pilot_effect(counts)


def _effect_note(pilot: PilotEffect, request: PlanRequest) -> str:
    seen = f"the pilot of {pilot.turns} turns has w = {pilot.raw**0.5:.3g}"
    if pilot.shrunk == 0:
        return f"{seen}, no more than noise gives: it is not used."
    dear = (
        turns_for_effect(pilot.low, bots=pilot.bots, alpha=request.alpha, power=request.power)
        if pilot.low
        else None
    )
    cheap = turns_for_effect(pilot.high, bots=pilot.bots, alpha=request.alpha, power=request.power)
    reach = f"{cheap:,} to {dear:,} turns" if dear is not None else f"{cheap:,} turns to any number"
    return (
        f"{seen}, shrunk to {pilot.shrunk**0.5:.3g} because a pilot overstates the effect; its 90 % interval "
        f"means {reach}."
    )
