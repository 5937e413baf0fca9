"""How attentive annotators were, what they did not do in time, and how often they agree."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from duologue.protocols import (
    AttentionChecks,
    InterAnnotatorAgreement,
    SelfAgreement,
    TimeOuts,
    say_count,
    say_list,
    say_percent,
)
from duologue.screening import UNFINISHED, fails_attention
from duologue.stats import Interval, clustered_rate, judge_ceiling, pair_agreement, wilson_interval
from duologue.store import AnnotatorSummary, JudgmentInContext, TimeOutCounts
from duologue.studies import Study, StudyRules

LEVEL = 0.95


def attention_checks(annotators: Sequence[AnnotatorSummary], caps: StudyRules) -> AttentionChecks | None:
    """How attention checks were answered; None where nobody met one."""
    met = [one for one in annotators if one.attention_asked]
    if not met:
        return None
    rules = caps.attention
    asked, right = sum(one.attention_asked for one in met), sum(one.attention_right for one in met)
    failed = sum(
        fails_attention(
            one.attention_right,
            asked=one.attention_asked,
            threshold=rules.threshold,
            min_checks=rules.min_checks,
        )
        for one in met
    )
    does = "are excluded" if rules.on_fail == "exclude" else "are only flagged"
    had = "did not skip" if caps.skips else "had"
    sentence = (
        f"Attention checks: {right:,} of {asked:,} that {say_count(len(met), 'annotator')} {had} were right; "
        f"those with fewer than {100 * rules.threshold:g} % right ({say_count(failed, 'annotator')}) {does}."
    )
    stopped = sum(one.ending == "stopped" for one in met)
    if rules.stop_after:
        were = "was" if stopped == 1 else "were"
        not_right = f"{rules.stop_after} {'was' if rules.stop_after == 1 else 'were'} not right"
        sentence += f" {say_count(stopped, 'annotator')} {were} stopped after {not_right}."
    return AttentionChecks(len(met), asked, right, failed, sentence, stopped)


def time_outs(found: TimeOutCounts, *, excluded: Collection[str] = ()) -> TimeOuts | None:
    """What was not done in time; None where everything was.

    Args:
        found: What was not.
        excluded: The rules that exclude judgments: unfinished blocks of items may be among what they exclude.
    """
    checks = found.onboarding + found.attention
    if not (found.items or found.sittings or checks):
        return None
    said = []
    if found.items:
        who = f"{say_count(found.items, 'item')} of {say_count(found.annotators, 'annotator')}"
        said.append(f"{who} took too long{_what_becomes(found)}.")
    if found.sittings:
        before = ", and what was judged before counts"
        if UNFINISHED in excluded:
            before = "; what was judged before counts, unless it is excluded as unfinished"
        said.append(f"{say_count(found.sittings, 'sitting')} ended because the time was over{before}.")
    if checks:
        kinds = (found.onboarding, "onboarding item"), (found.attention, "attention check")
        late = say_list(say_count(count, noun) for count, noun in kinds if count)
        does = "was not answered in time and counts" if checks == 1 else "were not answered in time and count"
        said.append(f"{late} {does} as not right.")
    sentence = f"Deadlines: {' '.join(said)}"
    return TimeOuts(found.items, found.annotators, found.sittings, sentence, checks)


def _what_becomes(found: TimeOutCounts) -> str:
    """What becomes of items that took too long; nothing where only some of them are in blocks."""
    is_one = found.items == 1
    if not found.in_blocks:
        return f", and {'its place is' if is_one else 'their places are'} open to others again"
    if found.in_blocks < found.items:
        return ""
    return f"; nobody else is asked about {'it' if is_one else 'them'} as long as the sitting counts"


def self_agreement(
    study: Study, pairs: Sequence[tuple[JudgmentInContext, JudgmentInContext]]
) -> SelfAgreement | None:
    """How often annotators gave the same answer twice; None where the protocol cannot say.

    The interval is clustered by annotator (`clustered_rate`); with a single annotator it is Wilson's.

    Args:
        study: The study, whose protocol says what the same answer is.
        pairs: What was answered on two occasions.
    """
    protocol = study.protocol
    found = [
        (first.judgment.annotator, protocol.same_answer(first.item, first.judgment, second.judgment))
        for first, second in pairs
    ]
    told = [(who, same) for who, same in found if same is not None]
    if not told:
        return None
    same = sum(one for _who, one in told)
    people = sorted({who for who, _one in told})
    codes = [people.index(who) for who, _one in told]
    if len(people) > 1:
        interval = clustered_rate([float(one) for _who, one in told], [codes], level=LEVEL).interval
        method = "clustered by annotator"
    else:
        interval, method = wilson_interval(same, len(told), level=LEVEL), "Wilson"
    sentence = (
        f"Agreement of annotators with themselves: {same:,} of {len(told):,} items that were asked twice got "
        f"the same answer ({say_percent(same / len(told))}, {100 * LEVEL:g} % interval "
        f"{say_percent(interval.low)} to {say_percent(interval.high)}, {method}; "
        f"{say_count(len(people), 'annotator')})."
    )
    return SelfAgreement(len(told), same, len(people), interval.low, interval.high, LEVEL, method, sentence)


def judged_twice(
    study: Study, pairs: Sequence[tuple[JudgmentInContext, JudgmentInContext]]
) -> InterAnnotatorAgreement | None:
    """How often two annotators gave the same answer, and the ceiling for any judge; None where unknown.

    Args:
        study: The study, whose protocol says what the same answer is.
        pairs: The two judgments of each item that was judged twice.
    """
    protocol = study.protocol
    found = [(one, two, protocol.same_answer(one.item, one.judgment, two.judgment)) for one, two in pairs]
    told = [(one.judgment, two.judgment, same) for one, two, same in found if same is not None]
    if not told:
        return None
    people = sorted({given.annotator for one, two, _same in told for given in (one, two)})
    numbers = {name: number for number, name in enumerate(people)}
    agreed = pair_agreement(
        [float(same) for *_both, same in told],
        list(range(len(told))),
        [numbers[one.annotator] for one, _two, _same in told],
        [numbers[two.annotator] for _one, two, _same in told],
        level=LEVEL,
    )
    same = sum(one for *_both, one in told)
    sentence = (
        f"Agreement of two annotators: {same:,} of {agreed.items:,} items that two annotators judged got the "
        f"same answer ({say_percent(agreed.rate)}, {_interval(agreed.interval)}, clustered by item and "
        f"annotator; {say_count(agreed.annotators, 'annotator')}). The second judgments are in no verdict."
    )
    answers = protocol.different_answers()
    ceiling = None if answers is None else judge_ceiling(agreed, answers=answers)
    if ceiling is not None:
        sentence += (
            " So no judge, automatic or human, can be expected to agree with one annotator more often than "
            f"{say_percent(ceiling.value)} ({_interval(ceiling.interval)})."
        )
    return InterAnnotatorAgreement(
        items=agreed.items,
        same=same,
        annotators=agreed.annotators,
        rate=agreed.rate,
        low=agreed.interval.low,
        high=agreed.interval.high,
        level=LEVEL,
        ceiling=None if ceiling is None else ceiling.value,
        ceiling_low=None if ceiling is None else ceiling.interval.low,
        ceiling_high=None if ceiling is None else ceiling.interval.high,
        sentence=sentence,
    )


def _interval(interval: Interval) -> str:
    return f"{100 * interval.level:g} % interval {say_percent(interval.low)} to {say_percent(interval.high)}"
