"""How a study was conducted, taken together from its database."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from duologue.protocols import Conduct, CreditedGroup, Outcome, QuestionCounts, Sensitivity
from duologue.reports.conduct.by_hand import (
    HandExclusions,
    exclusions_by_hand,
    listed_by_hand,
    say_by_hand,
    taken_back_by_hand,
)
from duologue.reports.conduct.checks import attention_checks, judged_twice, self_agreement, time_outs
from duologue.reports.conduct.growth import growth_of
from duologue.reports.conduct.material import material_of
from duologue.reports.conduct.people import (
    CountedJudgments,
    cohorts_of,
    meetings_of,
    participant_flow,
)
from duologue.reports.conduct.planned import (
    NO_JUDGMENT,
    NO_PLAN,
    REHEARSED,
    deviations,
    looks_taken,
    printed_plan,
    say_looks,
    say_plan,
)
from duologue.reports.conduct.screened import NOBODY, say_flags
from duologue.reports.conduct.words import (
    conduct_lines,
    say_credited,
)
from duologue.store import (
    REHEARSAL,
    CreditedChats,
    Store,
    fetch_addenda,
    fetch_annotators,
    fetch_credited,
    fetch_dialogues,
    fetch_exclusions,
    fetch_fact,
    fetch_frozen_plan,
    fetch_judged_batches,
    fetch_judged_twice,
    fetch_looks,
    fetch_repeats,
    fetch_rules_in_force,
    fetch_skips,
    fetch_timed_out,
    find_through_forms,
    form_counts,
    keep_plan_file,
    open_study,
)
from duologue.studies import Study, plan_with_addenda, read_addenda


def describe_conduct(study: Study) -> Iterator[str]:
    """What the database of a study that has judgments says of its plan, for the terminal.

    Nothing is looked at that tells about the bots, and so it is no look.
    """
    with open_study(study) as store:
        by_hand = exclusions_by_hand(study, store)
        counted = CountedJudgments()
        for batch in store.stream(fetch_judged_batches()):
            counted.add(replace(batch, excluded=by_hand.rules_of(batch)))
        found = conduct_of(study, store, by_hand, counted)
    yield ""
    yield from conduct_lines(found, with_plan=True)


def conduct_of(
    study: Study,
    store: Store,
    by_hand: HandExclusions,
    counted: CountedJudgments,
    *,
    sensitivities: tuple[Sensitivity, ...] = (),
    asked: tuple[str, ...] = (),
    verdicts: Sequence[Outcome] = (),
    set_aside: Mapping[str, str] = NOBODY,
) -> Conduct:
    """How a study was conducted, as its database tells it now.

    Args:
        study: The study.
        store: Its database.
        by_hand: What a researcher excluded.
        counted: Its judgments, counted.
        sensitivities: The verdicts on other judgments.
        asked: Deviations of this analysis itself.
        verdicts: What this analysis says of the bots, to be set beside what was said before they were more.
        set_aside: Annotators of whom the protocol's own screening leaves nothing, with the rule.
    """
    is_rehearsal = store.run(fetch_fact(REHEARSAL)) is not None
    found = replace(
        _judging(study, store, by_hand, counted, set_aside),
        sensitivities=sensitivities,
        growth=growth_of(
            read_addenda(store.run(fetch_addenda())),
            () if is_rehearsal else verdicts,
            noun=study.protocol.group_noun,
        ),
    )
    if is_rehearsal:
        return replace(found, plan_sentence=REHEARSED, looks_sentence="")
    return _beside_its_plan(study, store, found, counted, asked)


def _judging(
    study: Study,
    store: Store,
    by_hand: HandExclusions,
    counted: CountedJudgments,
    set_aside: Mapping[str, str],
) -> Conduct:
    """What was judged and by whom, what was looked at and excluded; nothing of a plan yet."""
    annotators, stored = store.run(fetch_annotators()), store.run(fetch_looks())
    flags = counted.flags.found(set_aside)
    looks, listed = looks_taken(stored), listed_by_hand(by_hand, stored)
    return Conduct(
        plan=None,
        plan_sentence=NO_PLAN if counted.judged else NO_JUDGMENT,
        deviations=(),
        looks=looks,
        looks_sentence=say_looks(looks),
        by_hand=listed,
        by_hand_sentence=say_by_hand(listed, by_hand),
        sensitivities=(),
        participants=participant_flow(
            annotators,
            counted,
            study.caps,
            through_forms=store.run(find_through_forms(study.caps)),
            set_aside=set_aside,
        ),
        material=material_of(counted.dialogues, lambda keys: store.run(fetch_dialogues(keys))),
        meetings=meetings_of(counted),
        cohorts=cohorts_of(counted, [cohort.name for cohort in study.file.cohorts]),
        forms=tuple(map(_published, form_counts(study, store))) if study.file.forms else (),
        credited=tuple(_credited(study, one) for one in store.run(fetch_credited())),
        flags=flags,
        flag_sentences=tuple(say_flags(flags)),
        onboarding=max((one.onboarding_asked for one in annotators), default=0),
        attention=attention_checks(annotators, study.caps),
        time_outs=time_outs(
            store.run(fetch_timed_out()), excluded={rule for own in counted.excluded.values() for rule in own}
        ),
        skips=store.run(fetch_skips()),
        self_agreement=self_agreement(study, store.run(fetch_repeats())),
        judged_twice=judged_twice(study, store.run(fetch_judged_twice())),
    )


def _beside_its_plan(
    study: Study, store: Store, found: Conduct, counted: CountedJudgments, asked: tuple[str, ...]
) -> Conduct:
    """The conduct with the frozen plan and every deviation from it, where one was frozen."""
    plan = store.run(fetch_frozen_plan())
    if plan is None:
        return found
    addenda = store.run(fetch_addenda())
    plan = replace(plan, text=json.dumps(plan_with_addenda(plan.content, addenda)))
    printed = printed_plan(study, plan, counted.of_groups)
    note = keep_plan_file(study, store)
    taken_back = taken_back_by_hand(store.run(fetch_exclusions()), store.run(fetch_rules_in_force()))
    differs = deviations(
        study, store, plan, counted=counted.of_groups, looks=found.looks, taken_back=taken_back
    )
    return replace(
        found,
        plan=printed,
        plan_sentence=say_plan(printed),
        deviations=(*asked, *differs),
        notes=(note,) if note else (),
    )


def _credited(study: Study, one: CreditedChats) -> CreditedGroup:
    group = study.protocol.say_group(one.group)
    said = say_credited(
        arm=one.arm,
        group=group,
        why=one.why,
        chats=one.chats,
        annotators=one.annotators,
        seconds=one.seconds,
    )
    return CreditedGroup(one.arm, one.group, one.why, one.chats, one.annotators, said, one.seconds)


FEWEST_NUMBERS = 5
"""A report has no least, median and most of fewer numbers: they would be what single people wrote."""


def _published(counts: QuestionCounts) -> QuestionCounts:
    """The answers to a question of a form as a report may say them."""
    return replace(counts, numbers=None) if counts.answered < FEWEST_NUMBERS else counts
