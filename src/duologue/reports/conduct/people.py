"""Who took part and how often they met each bot, from one pass over the judgments of a study."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from duologue.protocols import Meetings, ParticipantStep
from duologue.reports.conduct.by_hand import HandExclusions
from duologue.reports.flow import rule_in_words
from duologue.screening import passes_onboarding
from duologue.store import AnnotatorSummary, Judged
from duologue.studies import Caps


@dataclass(slots=True)
class Counted:
    """What the judgments of a study add up to."""

    of_groups: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Judgments that count, by arm and group."""
    judged: set[str] = field(default_factory=set)
    """Annotators with a judgment, onboarding apart."""
    counts: Counter[str] = field(default_factory=Counter)
    """Judgments that count, by annotator."""
    excluded: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Rules that excluded judgments, by annotator."""
    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By annotator and bot."""
    in_group: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By annotator and group."""
    dialogues: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Ids of those that were judged, by bot."""


def count_judged(judged: Iterable[Judged], by_hand: HandExclusions) -> Counted:
    """Count the judgments that count by the declared rules, in every way that is reported."""
    found = Counted()
    for judgment, item, _exchanges, _flags in judged:
        if judgment.is_onboarding:
            continue
        who = judgment.annotator
        found.judged.add(who)
        rule = by_hand.rule_of(judgment.id, judgment.excluded)
        if rule:
            found.excluded[who][rule] += 1
            continue
        found.of_groups[judgment.arm, judgment.group] += 1
        found.counts[who] += 1
        found.in_group[who, judgment.group] += 1
        for bot in set(item.bots):
            found.met[who, bot] += 1
        shown = item.dialogues or ((judgment.dialogue,) if judgment.dialogue else ())
        for bot, dialogue in zip(item.bots, shown, strict=False):
            found.dialogues[bot].add(dialogue)
    return found


def meetings_of(counted: Counted) -> Meetings | None:
    """How often one annotator met the same bot at most; None where no judgment counts."""
    if not counted.counts:
        return None
    return Meetings(
        most_of_a_bot=max(counted.met.values(), default=0),
        most_of_a_group=max(counted.in_group.values()),
        most_judgments=max(counted.counts.values()),
    )


def participant_flow(
    annotators: Sequence[AnnotatorSummary], counted: Counted, caps: Caps
) -> tuple[ParticipantStep, ...]:
    """From everybody who was invited to those whose judgments count, with who was lost on the way and why."""
    return tuple(_steps(annotators, counted, caps))


def _steps(annotators: Sequence[AnnotatorSummary], counted: Counted, caps: Caps) -> Iterator[ParticipantStep]:
    yield ParticipantStep(_invited(annotators), len(annotators))
    consented = [one for one in annotators if one.consented_at is not None]
    yield from _lost("did not consent", len(annotators) - len(consented))
    yield ParticipantStep("consented", len(consented))
    passed = consented
    if caps.onboarding_comparisons and caps.block != "off":
        failed = [one for one in consented if _failed(one, caps)]
        left = [one for one in consented if not one.onboarding_asked and one.id not in counted.judged]
        passed = [one for one in consented if one not in failed and one not in left]
        yield from _lost("left before onboarding", len(left))
        yield from _lost("failed onboarding", len(failed))
        yield ParticipantStep("passed onboarding", len(passed))
    judged = [one for one in passed if one.id in counted.judged]
    yield from _lost("left without a judgment", len(passed) - len(judged))
    yield ParticipantStep("judged", len(judged))
    out = [one for one in judged if not counted.counts[one.id]]
    reasons = Counter(counted.excluded[one.id].most_common(1)[0][0] for one in out)
    for rule, lost in sorted(reasons.items(), key=lambda found: (-found[1], found[0])):
        yield from _lost(f"excluded: {rule_in_words(rule)}", lost)
    yield ParticipantStep("analysed", len(judged) - len(out))


def _invited(annotators: Sequence[AnnotatorSummary]) -> str:
    came = sum(1 for one in annotators if one.kind != "lab")
    if not came:
        return "invited"
    return "came by the open link" if came == len(annotators) else "invited, or came by the open link"


def _lost(name: str, annotators: int) -> Iterator[ParticipantStep]:
    if annotators:
        yield ParticipantStep(name, annotators, is_loss=True)


def _failed(one: AnnotatorSummary, caps: Caps) -> bool:
    return bool(one.onboarding_asked) and not passes_onboarding(
        one.onboarding_right, asked=one.onboarding_asked, threshold=caps.onboarding_threshold
    )
