"""Who took part and how often they met each bot, from one pass over the judgments of a study."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, compress

from duologue.protocols import CohortCounts, JudgedBatch, Meetings, ParticipantStep
from duologue.reports.conduct.screened import NOBODY, FlagCounter
from duologue.reports.flow import rule_in_words
from duologue.screening import NEVER_COUNTED, passes_onboarding
from duologue.store import AnnotatorSummary
from duologue.studies import StudyRules


@dataclass(slots=True)
class CountedJudgments:
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
    met_together: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """By annotator and two bots that an item compares, the same one twice against itself."""
    flags: FlagCounter = field(default_factory=FlagCounter)
    dialogues: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Ids of those that were judged, by bot; a chat that several bots had together belongs to "a+b"."""
    cohorts: dict[str, str] = field(default_factory=dict)
    """Of annotators whose judgments count."""

    def add(self, batch: JudgedBatch) -> None:
        """Count some more judgments, each excluded by the rule that the batch says."""
        self.flags.add(batch)
        marked = zip(batch.is_onboarding, batch.excluded, strict=True)
        is_real = [not onboarding and rule not in NEVER_COUNTED for onboarding, rule in marked]
        self.judged.update(compress(batch.annotators, is_real))
        out = [bool(rule) and real for rule, real in zip(batch.excluded, is_real, strict=True)]
        for who, rule in compress(zip(batch.annotators, batch.excluded, strict=True), out):
            self.excluded[who][rule] += 1
        counts = [not rule and real for rule, real in zip(batch.excluded, is_real, strict=True)]
        people, groups = list(compress(batch.annotators, counts)), list(compress(batch.groups, counts))
        self.counts.update(people)
        self.cohorts.update(zip(people, compress(batch.cohorts, counts), strict=False))
        self.of_groups.update(zip(compress(batch.arms, counts), groups, strict=True))
        shown = list(compress(zip(batch.bots, batch.dialogues, strict=True), counts))
        self.met.update((who, bot) for who, (bots, _) in zip(people, shown, strict=True) for bot in set(bots))
        for who, (bots, _) in zip(people, shown, strict=True):
            self.met_together.update((who, one, other) for one, other in combinations(sorted(bots), 2))
        for bots, dialogues in shown:
            is_shared = len(dialogues) == 1 and len(bots) > 1
            for bot, dialogue in zip(["+".join(bots)] if is_shared else bots, dialogues, strict=False):
                self.dialogues[bot].add(dialogue)


def meetings_of(counted: CountedJudgments) -> Meetings | None:
    """How often one annotator met the same bot at most; None where no judgment counts."""
    if not counted.counts:
        return None
    return Meetings(
        most_of_a_bot=max(counted.met.values(), default=0),
        most_of_two_bots=max(counted.met_together.values(), default=0),
        most_judgments=max(counted.counts.values()),
    )


def cohorts_of(counted: CountedJudgments, declared: Iterable[str]) -> tuple[CohortCounts, ...]:
    """How many annotators and judgments of each cohort count; nothing where the study declares none.

    Args:
        counted: The judgments of the study.
        declared: The cohorts of the study.
    """
    names = list(declared)
    if not names:
        return ()
    people = Counter(counted.cohorts[who] for who in counted.counts)
    judgments: Counter[str] = Counter()
    for who, count in counted.counts.items():
        judgments[counted.cohorts[who]] += count
    others = sorted(people.keys() - set(names), key=lambda name: (not name, name))
    return tuple(CohortCounts(name, people[name], judgments[name]) for name in [*names, *others])


def participant_flow(
    annotators: Sequence[AnnotatorSummary],
    counted: CountedJudgments,
    caps: StudyRules,
    *,
    through_forms: Collection[str] = (),
    set_aside: Mapping[str, str] = NOBODY,
) -> tuple[ParticipantStep, ...]:
    """From everybody who was invited to those whose judgments count, with who was lost, and why.

    Args:
        annotators: All of them.
        counted: The judgments of the study.
        caps: What the study says.
        through_forms: Who has filled in all forms before the items.
        set_aside: Annotators of whom the analysis uses nothing although judgments count, with the rule.
    """
    return tuple(_steps(annotators, counted, caps, through_forms, set_aside))


def _steps(
    annotators: Sequence[AnnotatorSummary],
    counted: CountedJudgments,
    caps: StudyRules,
    through_forms: Collection[str],
    set_aside: Mapping[str, str],
) -> Iterator[ParticipantStep]:
    yield ParticipantStep(_invited(annotators), len(annotators))
    consented = [one for one in annotators if one.consented_at is not None]
    declined = sum(1 for one in annotators if one.has_declined)
    yield from _lost("declined to take part", declined)
    yield from _lost("never began", len(annotators) - len(consented) - declined)
    yield ParticipantStep("consented", len(consented))
    if caps.forms_before:
        outside = {one.id for one in consented if not one.arm and one.id not in counted.judged}
        refused = sum(1 for one in outside if one in through_forms)
        yield from _gone("left at a form", consented, outside - set(through_forms))
        yield ParticipantStep("filled in the forms", len(consented) - len(outside) + refused)
        yield from _lost("found no place after the forms", refused)
        consented = [one for one in consented if one.id not in outside]
    passed = consented
    if any(one.onboarding_asked for one in consented) and caps.block != "off":
        all_failed = {one.id for one in consented if _failed(one, caps)}
        failed = all_failed - counted.judged
        left = {one.id for one in consented if not one.onboarding_asked and one.id not in counted.judged}
        not_through = failed | left
        passed = [one for one in consented if one.id not in not_through]
        yield from _gone("left before onboarding", consented, left)
        if failed == all_failed:
            yield from _lost("failed onboarding", len(failed))
            yield ParticipantStep("passed onboarding", len(passed))
        else:
            yield from _lost("failed onboarding and judged nothing", len(failed))
            yield ParticipantStep("went on after onboarding", len(passed))
    judged = [one for one in passed if one.id in counted.judged]
    idle = [one for one in passed if one.id not in counted.judged]
    late = {one.id for one in idle if (one.timed_out or one.ending == "timed-out") and not one.is_blocked}
    stopped = {one.id for one in idle if one.ending == "stopped" and not one.is_blocked}
    yield from _lost("ran out of time without a judgment", len(late - stopped))
    yield from _lost("stopped after failed attention checks without a judgment", len(stopped))
    yield from _gone("left without a judgment", idle, {one.id for one in idle} - late - stopped)
    cut = sum(one.ending == "stopped" for one in judged)
    until = f" ({cut:,} of them until stopped after failed attention checks)" if cut else ""
    yield ParticipantStep(f"judged{until}", len(judged))
    out = [one for one in judged if not counted.counts[one.id] or one.id in set_aside]
    reasons = Counter(
        set_aside[one.id] if counted.counts[one.id] else counted.excluded[one.id].most_common(1)[0][0]
        for one in out
    )
    for rule, lost in sorted(reasons.items(), key=lambda found: (-found[1], found[0])):
        yield from _lost(f"excluded: {rule_in_words(rule)}", lost)
    yield ParticipantStep("analysed", len(judged) - len(out))


_VIA = {"open": "the open link", "telegram": "Telegram"}
"""How those came who have no link of their own."""


def _invited(annotators: Sequence[AnnotatorSummary]) -> str:
    kinds = {one.kind for one in annotators}
    via = " or ".join(words for kind, words in _VIA.items() if kind in kinds)
    if not via:
        return "invited"
    return f"invited, or recruited via {via}" if kinds - _VIA.keys() else f"recruited via {via}"


def _lost(name: str, annotators: int) -> Iterator[ParticipantStep]:
    if annotators:
        yield ParticipantStep(name, annotators, is_loss=True)


def _gone(
    how: str, annotators: Sequence[AnnotatorSummary], who: Collection[str]
) -> Iterator[ParticipantStep]:
    """Those who left, apart from those whom the researcher blocked: these did not leave by themselves."""
    blocked = sum(1 for one in annotators if one.id in who and one.is_blocked)
    yield from _lost("blocked by the researcher without a judgment", blocked)
    yield from _lost(how, len(who) - blocked)


def _failed(one: AnnotatorSummary, caps: StudyRules) -> bool:
    return bool(one.onboarding_asked) and not passes_onboarding(
        one.onboarding_right, asked=one.onboarding_asked, threshold=caps.onboarding_threshold
    )
