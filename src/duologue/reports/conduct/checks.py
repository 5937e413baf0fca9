"""How attentive annotators were, what they did not do in time, and whether they agree with themselves."""

from __future__ import annotations

from collections.abc import Sequence

from duologue.protocols import AttentionChecks, SelfAgreement, TimeOuts, say_count, say_percent
from duologue.screening import fails_attention
from duologue.stats import clustered_rate, wilson_interval
from duologue.store import AnnotatorSummary, JudgmentInContext, TimedOut
from duologue.studies import Caps, Study

LEVEL = 0.95
_LATE_CHECKS = "checks were not answered in time and count"


def attention_checks(annotators: Sequence[AnnotatorSummary], caps: Caps) -> AttentionChecks | None:
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
    sentence = (
        f"Attention checks: {right:,} of {asked:,} answers by {say_count(len(met), 'annotator')} were right; "
        f"those with fewer than {100 * rules.threshold:g} % right ({say_count(failed, 'annotator')}) {does}."
    )
    return AttentionChecks(len(met), asked, right, failed, sentence)


def time_outs(found: TimedOut) -> TimeOuts | None:
    """What was not done in time; None where everything was."""
    if not (found.items or found.sittings or found.checks):
        return None
    items = say_count(found.items, "item")
    sittings = say_count(found.sittings, "sitting")
    people = say_count(found.annotators, "annotator")
    sentence = (
        f"Deadlines: {items} of {people} took too long and went to others; {sittings} "
        "ended because the time was over, and what was judged before counts."
    )
    if found.checks:
        late = "check was not answered in time and counts" if found.checks == 1 else _LATE_CHECKS
        sentence += f" {found.checks:,} onboarding or attention {late} as not right."
    return TimeOuts(found.items, found.annotators, found.sittings, sentence, found.checks)


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
