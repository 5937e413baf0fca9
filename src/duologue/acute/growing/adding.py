"""Adding bots to a study: the addendum to its plan, with the verdicts so far, and the new pairings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from duologue.acute.growing.planning import GrowthPlan, plan_growth
from duologue.errors import DesignError
from duologue.protocols import Addendum, addendum_asking, drafting_items, group_asked, read_items
from duologue.reports import analyse_study, report_of
from duologue.store import (
    Store,
    add_addendum,
    fetch_addenda,
    fetch_frozen_plan,
    fetch_progress,
    fetch_revisions,
    in_use,
    keep_plan_file,
    look_at,
    not_served,
    open_study,
)
from duologue.studies import (
    AddedGroup,
    Study,
    StudySoFar,
    addendum_file,
    draft_addendum,
    read_addenda,
    require_items,
)


@dataclass(frozen=True, slots=True)
class GrownStudy:
    """What was added, or would be."""

    plan: GrowthPlan
    unfinished: tuple[str, ...]
    """Earlier matchups that have not reached their planned number of judgments."""
    addendum: Addendum | None = None
    """None while nothing has been changed."""
    path: Path | None = None
    """The copy for people of the addendum."""


def preview_growth(
    study: Study,
    bots: Sequence[str],
    *,
    against: Sequence[str] = (),
    per_matchup: int | None = None,
    recheck: float | None = None,
    mix_kinds: bool = False,
) -> GrownStudy:
    """What adding bots to a study would do; nothing is changed. The arguments are those of `plan_growth`.

    Raises:
        DesignError: The study cannot grow, a bot is not there, or there is nothing new to compare.
        ImpossiblePairing: There are too few dialogues.
    """
    asked = _GrowthRequest(tuple(bots), tuple(against), per_matchup, recheck, mix_kinds)
    _require_judgments(study)
    with open_study(study) as store:
        return _planned(study, store, asked)


def grow_study(
    study: Study,
    bots: Sequence[str],
    *,
    against: Sequence[str] = (),
    per_matchup: int | None = None,
    recheck: float | None = None,
    mix_kinds: bool = False,
) -> GrownStudy:
    """Add bots to a study that has been judged: their matchups are planned and paired, the others stay.

    The verdicts so far are kept, with the time, in an addendum to the plan. Earlier pairings and judgments
    are not touched. The arguments are those of `plan_growth`.

    Raises:
        DesignError: The study cannot grow, a bot is not there, or there is nothing new to compare.
        ImpossiblePairing: There are too few dialogues.
        StoreServed: The study is being served.
    """
    asked = _GrowthRequest(tuple(bots), tuple(against), per_matchup, recheck, mix_kinds)
    _require_judgments(study)
    with not_served(study.database), open_study(study) as store:
        grown = _planned(study, store, asked)
        return _add(study, store, grown)


def _require_judgments(study: Study) -> None:
    if study.file.stopping.rule == "sequential":
        raise DesignError(
            "the study declares sequential stopping, whose error rate is shared by the matchups that were "
            "planned: none can be added. Compare the new bot in a study of its own."
        )
    require_items(study)
    if not look_at(study.database).judgments:
        raise DesignError(
            "the study has no judgments yet, so there is nothing to keep: add the bot's dialogues and make "
            f"all pairings with `duologue pairings make {study.quoted}`."
        )


@dataclass(frozen=True, slots=True)
class _GrowthRequest:
    """What somebody wants to add, as `plan_growth` takes it."""

    bots: tuple[str, ...]
    against: tuple[str, ...]
    per_matchup: int | None
    recheck: float | None
    mix_kinds: bool


def _planned(study: Study, store: Store, asked: _GrowthRequest) -> GrownStudy:
    last = store.run(fetch_revisions())[-1]
    if last.design_hash not in (study.design_hash, study.design_hash_since(last.text)):
        raise DesignError(
            f"{study.folder / 'study.toml'} was changed in more than its bots since judgments were given. "
            "That is a new revision, which is never analysed together with them. Take the change back, or "
            "make a new study."
        )
    plan = plan_growth(
        study,
        asked.bots,
        against=asked.against,
        per_matchup=asked.per_matchup,
        recheck=asked.recheck,
        mix_kinds=asked.mix_kinds,
        number=1 + len(store.run(fetch_addenda())),
        judged=in_use(study).judged,
    )
    short = tuple(
        study.protocol.say_group(one.group)
        for one in store.run(fetch_progress())
        if one.done < one.wanted and not addendum_asking(one.group)
    )
    return GrownStudy(plan, short)


def _add(study: Study, store: Store, grown: GrownStudy) -> GrownStudy:
    plan, earlier = grown.plan, store.run(fetch_addenda())
    analysed = analyse_study(study, store, how="grow")
    frozen = store.run(fetch_frozen_plan())
    provenance = analysed.results.provenance
    verdicts = tuple(report_of(study.protocol.name).outcomes(analysed.results))
    so_far = StudySoFar(
        verdicts=verdicts,
        judgments=sum(one.n for one in verdicts),
        data="" if provenance is None else provenance.data["judgments"],
        is_interim=bool(grown.unfinished),
    )
    follows = earlier[-1].hash if earlier else "" if frozen is None else frozen.hash
    draft = draft_addendum(
        study,
        number=plan.number,
        adds=plan.adds,
        groups=plan.groups,
        asked_again=map(_as_earlier, plan.asked_again),
        so_far=so_far,
        follows=follows,
    )
    items = [*read_items(study.items_path), *plan.new, *plan.again]
    with drafting_items(items, study.items_path):
        store.run(add_addendum(draft))
    keep_plan_file(study, store)
    addendum = read_addenda(store.run(fetch_addenda()))[-1]
    return GrownStudy(plan, grown.unfinished, addendum, study.folder / addendum_file(plan.number))


def _as_earlier(one: AddedGroup) -> AddedGroup:
    """What is asked again, by the name of the matchup that is asked."""
    return AddedGroup(one.arm, group_asked(one.group), one.bots, one.judgments)
