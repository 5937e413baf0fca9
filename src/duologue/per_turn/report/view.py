"""What the page draws of a section of turns, what it says of it in sentences, and what it cannot show."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from duologue.per_turn.analysis.verdicts import NOTHING_SAID
from duologue.per_turn.rules import OF_SEVERAL
from duologue.protocols import (
    say_answer_correlations,
    say_arm,
    say_count,
    say_list,
    say_p,
    say_percent,
    say_power_percent,
    say_rating,
    say_rating_span,
    say_span,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from duologue.per_turn import (
        MechanismComparison,
        PairAcross,
        PerTurnResults,
        ScreenedRule,
        TurnSection,
        TurnsNeeded,
        TurnVerdict,
        WholeAnswers,
    )
    from duologue.stats import Interval


@dataclass(frozen=True, slots=True)
class TurnSectionView:
    """A section with what the page says of it."""

    section: TurnSection
    verdicts: tuple[TurnVerdict, ...]
    checks: tuple[str, ...]
    """Cascading, ties, power and cost in sentences."""
    statistics: str
    """What the statistics of the tests are."""


def view_section(section: TurnSection, *, currency: str = "") -> TurnSectionView:
    """A section with what the page says of it."""
    whole = (section.all_bots.verdict,) if section.all_bots else ()
    compared = (*(pair.verdict for pair in section.pairs), *(one.verdict for one in section.against))
    checks = tuple(section_sentences(section, currency=currency))
    return TurnSectionView(
        section, tuple(_each_reason_once((*whole, *compared))), checks, statistics_sentence(section)
    )


def _each_reason_once(verdicts: Iterable[TurnVerdict]) -> Iterator[TurnVerdict]:
    """Verdicts, of which several that there are none for one reason say it once."""
    said: set[str] = set()
    for one in verdicts:
        again = f": {one.why_none}{NOTHING_SAID}"
        is_again = one.why_none in said
        yield (
            replace(one, sentence=one.sentence.replace(again, ", for the same reason.", 1))
            if is_again
            else one
        )
        said.update({one.why_none} - {""})


def rules_that_apply(results: PerTurnResults) -> tuple[ScreenedRule, ...]:
    """The rules of screening that can exclude something: those about several bots not of a single one."""
    is_single = all(section.mechanism == "single" for section in results.sections)
    return tuple(one for one in results.screening.rules if not (is_single and one.rule in OF_SEVERAL))


def section_sentences(section: TurnSection, *, currency: str = "") -> Iterator[str]:
    """What turns depend on, what they could have shown, and what they cost."""
    yield from _cascading(section)
    if section.anchoring is not None:
        yield section.anchoring.sentence
    if section.ties is not None:
        more = (
            "are concentrated in some annotators"
            if section.ties.p_value <= 0.05
            else "are not concentrated in some annotators"
        )
        yield f"Ties ({say_percent(section.ties.base)} of turns) {more} ({say_p(section.ties.p_value)})."
    if said := say_answer_correlations(section.correlations, within="bot"):
        yield said
    if section.written_rate is not None:
        yield f"The annotator wrote the reply on {say_percent(section.written_rate)} of turns."
    if section.incomplete:
        is_one = section.incomplete == 1
        turns = "1 turn is" if is_one else f"{section.incomplete:,} turns are"
        yield f"{turns} incomplete because a bot failed; no test uses {'it' if is_one else 'them'}."
    yield from _power(section)
    yield from _cost(section, currency)
    yield from _third_party(section)
    yield from _written(section)


def _cascading(section: TurnSection) -> Iterator[str]:
    if not section.cascading:
        return
    found = [one for one in section.cascading if one.found.p_value <= 0.05]
    if not found:
        yield (
            "No cascading was detected: what was selected on a turn is selected on the next one about as "
            "often as when the turns of each dialogue are shuffled."
        )
    for one in found:
        name = f"{one.bot} is selected" if one.bot else "a tie comes"
        yield (
            f"Cascading: after a turn with it, {name} again on {say_percent(one.found.rate)} of turns; with "
            f"shuffled turns it is {say_percent(one.found.expected)} ({say_p(one.found.p_value)})."
        )


def _power(section: TurnSection) -> Iterator[str]:
    power = section.power
    if power is None:
        return
    planned = "" if power.planned_turns is None else f" of {power.planned_turns:,} planned"
    worth = ""
    if power.effective_turns < power.turns:
        worth = f", worth {power.effective_turns:,} independent ones"
    yield (
        f"A gap of {power.gap:g} has a chance of {say_power_percent(power.power)} to be found with "
        f"{power.turns:,} turns{planned}{worth} (stated: {say_percent(power.planned_power)}). This is about "
        "the plan, and no evidence on the bots."
    )


def _cost(section: TurnSection, currency: str) -> Iterator[str]:
    cost, parts = section.cost, []
    if cost.seconds_per_turn is not None and cost.seconds_per_dialogue is not None:
        parts.append(
            f"{cost.seconds_per_turn:.0f} s a turn and {cost.seconds_per_dialogue:.0f} s a dialogue (medians)"
        )
    if cost.pay_per_dialogue is not None:
        turn = "" if cost.pay_per_turn is None else f" and {cost.pay_per_turn:.3f} a turn that counts"
        parts.append(f"pay of {cost.pay_per_dialogue:.2f}{_in(currency)} a dialogue{turn}")
    if parts:
        yield f"Cost: {'; '.join(parts)}."


def _in(currency: str) -> str:
    return f" {currency}" if currency else ""


def _third_party(section: TurnSection) -> Iterator[str]:
    for one in section.third_party[:1]:
        kappa = "–" if one.kappa is None else f"{one.kappa:.2f}{_within(one.kappa_interval)}"
        yield (
            f"Others who read the chats agree with those who had them on {say_percent(one.agreement)} of "
            f"selections (Cohen's kappa {kappa}, Krippendorff's alpha {one.alpha:.2f}"
            f"{_within(one.alpha_interval)}; {one.turns:,} turns of {one.dialogues:,} dialogues, intervals "
            "clustered by dialogue)."
        )


def _within(interval: Interval | None) -> str:
    return "" if interval is None else f" [{interval.low:.2f}, {interval.high:.2f}]"


def _written(section: TurnSection) -> Iterator[str]:
    for one in section.written[:1]:
        spans = [
            "" if span is None else f" {say_span(*span.limits)}"
            for span in (one.at_least_interval, one.better_interval)
        ]
        yield (
            f"Of {one.replies:,} written replies ({one.judgments:,} judgments), {say_percent(one.at_least)}"
            f"{spans[0]} were at least as good as those of the bots and {say_percent(one.better)}{spans[1]} "
            "better than all of them."
        )


def whole_sentence(answers: WholeAnswers) -> str:
    """What was answered about the whole conversation."""
    span = answers.interval
    within = "" if span is None else f" {say_rating_span(*span.limits)}, clustered"
    asked = f"{answers.name} ({answers.text})" if answers.text else answers.name
    return (
        f"About the whole conversation, {asked}: {say_rating(answers.mean)}{within}, on a scale from 1 to "
        f"{len(answers.counts)}, in {say_count(answers.dialogues, 'dialogue')}."
    )


def across_sentence(pair: PairAcross) -> str:
    """Whether the sections that compare two bots agree."""
    said = [
        f"{one.design} {100 * one.difference:+.1f} points ({one.better or 'no difference detected'}, "
        f"{say_count(one.turns, 'turn')})"
        for one in pair.settings
    ]
    if pair.contradict:
        how = "contradict each other"
    elif pair.same_verdict:
        how = "come to the same verdict"
    else:
        how = (
            "agree in direction, not in verdict" if pair.same_direction else "differ in direction and verdict"
        )
    return f"{pair.first} and {pair.second}: {len(pair.settings)} sections {how}: {'; '.join(said)}."


def side_by_side(results: PerTurnResults) -> Iterator[str]:
    """How sensitive settings and mechanisms are, and what that costs."""
    for pair in results.across:
        if any(one.needed for one in pair.settings):
            yield _sensitivity(pair, results)
    yield from map(mechanisms_sentence, results.mechanisms)


def _sensitivity(pair: PairAcross, results: PerTurnResults) -> str:
    said = [
        f"{one.design} about {_needed(one.needed, results.currency)}"
        for one in pair.settings
        if one.needed is not None
    ]
    return (
        f"{pair.first} and {pair.second}, sensitivity: to find a difference as large as the one seen with a "
        f"power of {say_percent(results.power)} takes {'; '.join(said)}. These numbers are as "
        "uncertain as the differences, and no evidence on the bots."
    )


def _needed(needed: TurnsNeeded, currency: str) -> str:
    hours = "" if needed.hours is None else f"{needed.hours:.1f} h"
    pay = "" if needed.pay is None else f"pay of {needed.pay:,.2f}{_in(currency)}"
    cost = ", ".join(filter(None, (hours, pay)))
    return say_count(needed.turns, "turn") + (f" ({cost})" if cost else "")


def mechanisms_sentence(compared: MechanismComparison) -> str:
    """The turns that arms of two bots need, and one arm of all of them."""
    pairs = say_list(f"{first} v {second}" for first, second in compared.pairs)
    return (
        f"Two bots at a time or all at once: for differences as large as those seen between {pairs}, "
        f"{compared.pairwise} needs about {compared.pairwise_turns:,} turns in {len(compared.pairs)} arms of "
        f"two bots, and {compared.multi} about {compared.multi_turns:,} in one arm of all bots."
    )


def whole_levels(results: PerTurnResults) -> str:
    """Why the intervals of differences between sections have several levels; empty where they have one."""
    if all(one.family == 1 for one in results.whole_differences):
        return ""
    return "Each interval has the level at which Holm's method tests its difference."


def statistics_sentence(section: TurnSection) -> str:
    """What the column of statistics has; empty where it has none."""
    whole = section.all_bots is not None and section.all_bots.statistic is not None
    found = []
    if any(pair.chi_square is not None for pair in section.pairs):
        found.append("χ² is McNemar's without correction, as papers print it.")
    if whole and section.setting == "soba":
        found.append("χ² of all bots is Pearson's.")
    elif whole:
        found.append("Q of all bots is Cochran's.")
    return " ".join(found)


def _why_no_none_rates(sections: Sequence[TurnSection]) -> str:
    settings: defaultdict[object, set[str | None]] = defaultdict(set)
    for one in sections:
        if not one.question:
            settings[one.mechanism, one.names, one.revision].add(one.setting)
    if any(found >= {"sata-random", "sata-user"} for found in settings.values()):
        return f"{_without_turns(sections)}, and turns of both SATA-Random and SATA-User are needed"
    return "the same bots were not judged under both SATA-Random and SATA-User"


def _why_not_across(sections: Sequence[TurnSection]) -> str:
    main = [one for one in sections if not one.question]
    if len(main) == 1:
        return "there is only one arm"
    pairs = Counter(
        two
        for one in main
        if not (one.mechanism == "multi" and one.setting == "soba")
        for two in combinations(one.names, 2)
    )
    if max(pairs.values(), default=0) < 2:
        return "no two bots are tested as a pair in more than one arm"
    empty = _without_turns(sections)
    return "no two bots have a verdict in more than one arm" + (f" ({empty})" if empty else "")


def _without_turns(sections: Sequence[TurnSection]) -> str:
    """That no turn counts in some sections; empty where some turn counts in each."""
    empty = [say_arm(one.arm) or one.design for one in sections if not one.question and not one.turns]
    return f"no turn counts in {say_list(empty)}" if empty else ""


def not_shown(results: PerTurnResults) -> tuple[str, ...]:
    """What the report does not show, and why."""
    sections = results.sections
    found = []
    is_read = any(section.is_read for section in sections)
    if is_read:
        found.append("Verdicts: the bots are compared by the study in which the chats were had.")
    elif not any(section.third_party for section in sections):
        found.append("Third parties: no row is of an annotator who did not have the chat.")
    if not results.none_rates and not is_read:
        found.append(f"None rates: {_why_no_none_rates(sections)}.")
    if not results.across and not is_read:
        found.append(f"Settings side by side: {_why_not_across(sections)}.")
    if all(section.cost.seconds_per_turn is None for section in sections):
        is_empty = not any(section.turns for section in sections)
        why = "no turn counts" if is_empty else "it is not known how long selections took"
        found.append(f"Time: {why}.")
    if all(section.cost.pay_per_dialogue is None for section in sections):
        found.append("Money: it is not known what was paid.")
    return tuple(found)
