"""A whole study analysed: its judgments taken and turned into results."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from duologue import __version__
from duologue.clock import Clock, utc_now
from duologue.dialogues import LikenessTally, study_dialogues
from duologue.errors import AnalysisError
from duologue.protocols import AnalysisOptions, Half, Provenance, Sensitivity
from duologue.reports.base import (
    Analysis,
    AnalysisRequest,
    Results,
)
from duologue.reports.conduct import (
    HandExclusions,
    conduct_of,
    exclusions_by_hand,
    leaves_out,
    sensitivity,
)
from duologue.reports.conduct.reasons import find_reasons
from duologue.reports.judged import StudyJudgments, read_judgments
from duologue.reports.methods import packages
from duologue.reports.protocols import refuse_half, report_of
from duologue.store import (
    REHEARSAL,
    Store,
    blocks_are_filled,
    count_cut_turns,
    fetch_addenda,
    fetch_bots_of_groups,
    fetch_dialogues,
    fetch_fact,
    fetch_frozen_plan,
    fetch_progress,
    judgment_rows,
    note_look,
    planned_judgments,
)
from duologue.studies import Study, read_addenda


def analyse_study(
    study: Study,
    store: Store,
    *,
    alpha: float | None = None,
    gap: float | None = None,
    with_sequential: bool = False,
    options: AnalysisOptions | None = None,
    half: Half | None = None,
    how: Literal["analyse", "report", "grow"] = "analyse",
    clock: Clock = utc_now,
) -> Analysis:
    """Analyse the judgments of a study. Nothing is changed in it but that the look at its results is kept.

    Verdicts rest on the declared rules for exclusions. What a researcher excluded by hand for another reason,
    and what screening flagged in live chats that count, is left out in sensitivity analyses beside them.

    Args:
        study: The study.
        store: Its database.
        alpha: The error rate that the matchups of an arm share; what the study file says when not given.
        gap: The gap between two bots that is worth finding, of win rates or in points of ratings; what the
            study file says when not given.
        with_sequential: Say stop or go on also where the study did not declare sequential stopping.
        options: What only the analysis of its protocol can be asked for.
        half: Analyse only this half of the annotators; there is no plan for it.
        how: By which command the results are looked at.
        clock: Tells the times in the provenance.

    Raises:
        AnalysisError: The study has no judgments yet: nobody sees anything, and no look is kept.
    """
    began = clock()
    asked = replace(_request(study, store, half), with_sequential=with_sequential, options=options)
    asked = asked if alpha is None else replace(asked, alpha=alpha)
    asked = asked if gap is None else replace(asked, gap=gap, points=gap)
    refuse_half(report_of(study.protocol.name), asked)
    by_hand = exclusions_by_hand(study, store)
    judgments = read_judgments(study, store, by_hand)
    _require_judgments(judgments)
    found = judgments.analysed(judgments.declared, asked)
    provenance = _provenance(judgments, found, began=began, ended=clock())
    note_look(store, how, data=judgments.data, counted=judgments.counted.of_groups)
    conduct = conduct_of(
        study,
        store,
        by_hand,
        judgments.counted,
        sensitivities=tuple(_sensitivities(judgments, by_hand, found.results, asked)),
        asked=tuple(_asked_otherwise(study, store, asked)),
        verdicts=tuple(report_of(study.protocol.name).outcomes(found.results)),
        set_aside=found.set_aside,
    )
    if how == "report":
        conduct = replace(conduct, reasons=find_reasons(study, store, by_hand))
    warnings = [*_cut_replies(store)]
    if how == "report":
        warnings += _alike(study, {bot for _annotator, bot in judgments.counted.met})
    results = found.results.with_provenance(provenance).with_warnings(warnings)
    return replace(found, results=results.with_conduct(conduct))


def _require_judgments(found: StudyJudgments) -> None:
    """Refuse a study without judgments; a rehearsal says by itself what nobody has judged."""
    if not found.counted.judged and found.store.run(fetch_fact(REHEARSAL)) is None:
        only = " (onboarding and attention checks are not judgments)" if len(found.declared.codes) else ""
        raise AnalysisError(
            f"{found.study.name}: this study has no judgments yet{only}, so there is nothing to analyse. "
            "No look at the results was recorded. `duologue annotators progress` says how far it has come."
        )


def _request(study: Study, store: Store, half: Half | None) -> AnalysisRequest:
    """What the study file and the plan ask of an analysis."""
    stopping, planned = study.file.stopping, _planned(store)
    waits_for_more = not half and not store.run(blocks_are_filled(study.caps))
    return AnalysisRequest(
        alpha=stopping.alpha,
        gap=stopping.gap,
        power=stopping.power,
        seed=study.seed,
        planned={} if half else planned,
        planned_groups=planned_judgments(store.run(fetch_progress())) if waits_for_more else {},
        half=half,
        per_annotator=study.caps.judgments_of_one_group(len(planned)),
        stopping=stopping.rule,
        settings=study.settings,
        folder=study.folder,
        exchanges=study.file.chat.min_exchanges,
        pay=study.file.pay.per_judgment or None,
        currency=study.file.pay.currency if study.file.pay.per_judgment else "",
        plan=store.run(fetch_frozen_plan()),
        addenda=read_addenda(store.run(fetch_addenda())),
    )


def _provenance(
    judgments: StudyJudgments, found: Analysis, *, began: datetime, ended: datetime
) -> Provenance:
    study = judgments.study
    return Provenance(
        duologue=__version__,
        packages=packages(),
        study=study.name,
        design_hash=study.design_hash,
        data={
            "judgments": judgments.data,
            "study.toml": hashlib.sha256(study.text.encode()).hexdigest(),
        },
        rows={"judgments": len(judgments.stored.codes)},
        first_judgment=found.span[0],
        last_judgment=found.span[1],
        began=began.isoformat(timespec="seconds"),
        ended=ended.isoformat(timespec="seconds"),
        is_rehearsal=judgments.store.run(fetch_fact(REHEARSAL)) is not None,
    )


def _sensitivities(
    judgments: StudyJudgments, by_hand: HandExclusions, results: Results, asked: AnalysisRequest
) -> Iterator[Sensitivity]:
    """The verdicts without what was excluded by hand, and without what each rule flagged, and all of them.

    What another rule excludes already, such as one of the protocol, is in no verdict: nothing is compared.
    """
    report = report_of(judgments.study.protocol.name)
    asked = replace(asked, only_verdicts=True)
    if not any(report.outcomes(results)):
        return  # as where a bot is compared with itself: there is no verdict that could change
    if by_hand.counted:
        other = judgments.analysed(judgments.stored, asked).results
        yield sensitivity("by-hand", len(by_hand.counted), report.outcomes(results), report.outcomes(other))

    def without(flagged: NDArray[np.bool_], flag: str) -> Sensitivity:
        other = judgments.analysed(judgments.without(flagged), asked).results
        outcomes = report.outcomes(results), report.outcomes(other)
        return sensitivity("flagged", int(flagged.sum()), *outcomes, flag=flag)

    of_rules = {flag: without(flagged, flag) for flag, flagged in judgments.flags.items()}
    weighing = [flag for flag, found in of_rules.items() if leaves_out(found)]
    yield from (of_rules[flag] for flag in weighing)
    if len(weighing) > 1:
        yield without(np.logical_or.reduce([judgments.flags[flag] for flag in weighing]), "")


def _asked_otherwise(study: Study, store: Store, asked: AnalysisRequest) -> Iterator[str]:
    """How this analysis differs from the frozen plan by what it was asked for."""
    plan = store.run(fetch_frozen_plan())
    if plan is None:
        return
    own = study.file.stopping.alpha
    for name, value in (("alpha", None if asked.alpha == own else asked.alpha), ("gap", asked.points)):
        planned = plan.content.get(name)
        if value not in (None, planned):
            yield f"This analysis was asked for {name} = {value:g}; the plan says {planned}."


def _alike(study: Study, judged: Collection[str]) -> Iterator[str]:
    """Bots that were judged as two and say the same, as the study's own dialogues show."""
    if len(judged) < 2:
        return
    tally = LikenessTally()
    for dialogue in study_dialogues(study.folder):
        if dialogue.bot in judged:
            tally.look(dialogue)
    for one in tally.found():
        said = str(one)
        yield f"{said[0].upper()}{said[1:]} If so, any difference between them is due to chance."


def _cut_replies(store: Store) -> Iterator[str]:
    for bot, cut in store.run(count_cut_turns()).items():
        turns = "1 turn" if cut.turns == 1 else f"{cut.turns:,} turns"
        where = f"in {cut.dialogues:,} of its {cut.of_dialogues:,} dialogues"
        were = "was" if cut.turns == 1 else "were"
        yield f"{bot}: {turns} {where} {were} cut at the bot's limit of tokens: unfinished sentences."


def choose_examples(study: Study, store: Store) -> tuple[object, ...]:
    """Some judgments to show in the report with what was read, chosen by the study's seed."""
    report = report_of(study.protocol.name)
    return report.examples(
        judgment_rows(study, store),
        seed=study.seed,
        dialogues=lambda keys: store.run(fetch_dialogues(keys)),
    )


def _planned(store: Store) -> dict[tuple[str, ...], int]:
    """Judgments wanted of each group, in one arm, by the names of its bots."""
    bots = store.run(fetch_bots_of_groups())
    planned: dict[tuple[str, ...], int] = {}
    for group, wanted in planned_judgments(store.run(fetch_progress())).items():
        names = tuple(sorted(bots[group]))
        planned[names] = max(wanted, planned.get(names, 0))
    return planned
