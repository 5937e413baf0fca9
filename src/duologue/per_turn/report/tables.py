"""Turns as CSV tables: dialogues, bots, comparisons, positions, cascading, screening, third parties."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from duologue.judgments import Row
    from duologue.per_turn import PerTurnResults, TestedTurns, TurnSection
    from duologue.stats import Interval


def turn_tables(results: PerTurnResults) -> Iterator[tuple[str, Iterable[Row]]]:
    """Every table that has rows, by the name of its file."""
    found = (
        ("dialogues.csv", dialogue_rows(results)),
        ("bots.csv", bot_rows(results)),
        ("comparisons.csv", comparison_rows(results)),
        ("positions.csv", position_rows(results)),
        ("cascading.csv", cascading_rows(results)),
        ("screening.csv", screening_rows(results)),
        ("settings.csv", setting_rows(results)),
        ("third_party.csv", third_party_rows(results)),
        ("written.csv", written_rows(results)),
        ("whole.csv", whole_rows(results)),
        ("whole_differences.csv", whole_difference_rows(results)),
    )
    for name, rows in found:
        if kept := list(rows):
            yield name, kept


def mechanism_totals(results: PerTurnResults) -> dict[str, tuple[int, int]]:
    """Dialogues and turns that count, by mechanism and in total (Table 2)."""
    found: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for section in results.sections:
        if not section.question:
            for name in (section.mechanism, "total"):
                found[name][0] += section.dialogues
                found[name][1] += section.turns
    return {name: (dialogues, turns) for name, (dialogues, turns) in found.items()}


def dialogue_rows(results: PerTurnResults) -> Iterator[Row]:
    """``dialogues.csv``: every section: dialogues, turns, what they cost, plan and power."""
    for section in results.sections:
        cost, power = section.cost, section.power
        yield {
            **_of(section),
            "dialogues": section.dialogues,
            "turns": section.turns,
            "turns_per_dialogue": section.turns / section.dialogues if section.dialogues else None,
            "annotators": section.annotators,
            "incomplete_turns": section.incomplete,
            "excluded_turns": section.excluded,
            "none_rate": section.none_rate,
            "written_rate": section.written_rate,
            "seconds_per_turn": cost.seconds_per_turn,
            "seconds_per_dialogue": cost.seconds_per_dialogue,
            "pay_per_dialogue": cost.pay_per_dialogue,
            "pay_per_turn": cost.pay_per_turn,
            "planned_gap": power.gap if power else None,
            "planned_turns": power.planned_turns if power else None,
            "effective_turns": power.effective_turns if power else None,
            "power": power.power if power else None,
        }


def bot_rows(results: PerTurnResults) -> Iterator[Row]:
    """``bots.csv``: every bot of every section."""
    for section in results.sections:
        for bot in section.bots:
            yield {
                **_of(section),
                "bot": bot.bot,
                "turns": bot.turns,
                "selected": bot.selected,
                "win_rate": bot.rate,
                **_span("clustered", bot.interval),
                **_span("naive", bot.naive_interval),
                "position_adjusted": bot.position_adjusted,
                "icc": bot.icc,
            }


def comparison_rows(results: PerTurnResults) -> Iterator[Row]:
    """``comparisons.csv``: all bots at once, every pair, and single bots with their standard."""
    for section in results.sections:
        if (whole := section.all_bots) is not None:
            yield {
                **_compared(section, "all bots", ""),
                "turns": section.turns,
                "chi_square": whole.statistic,
                "df": whole.df,
                **_tested(whole.tested),
                "better": "",
                "verdict": whole.verdict.sentence,
            }
        for pair in section.pairs:
            yield {
                **_compared(section, pair.first, pair.second),
                "turns": pair.turns,
                "only_first": pair.only_first,
                "only_second": pair.only_second,
                "tie_wins": pair.tie_wins,
                "tie_losses": pair.tie_losses,
                "difference": pair.difference,
                **_span("interval", pair.interval),
                "chi_square": pair.chi_square,
                "df": 1,
                "p_chi_square": pair.p_chi_square,
                **_tested(pair.tested),
                "better": pair.verdict.better or "",
                "verdict": pair.verdict.sentence,
            }
        for against in section.against:
            yield {
                **_compared(section, against.bot, f"standard {against.null:g}"),
                "turns": section.turns,
                "difference": section.bots[0].rate - against.null,
                **_span("interval", against.interval),
                **_tested(against.tested),
                "better": against.verdict.better or "",
                "verdict": against.verdict.sentence,
            }


_COMPARED = (
    "turns",
    "only_first",
    "only_second",
    "tie_wins",
    "tie_losses",
    "difference",
    "interval_low",
    "interval_high",
    "interval_level",
    "chi_square",
    "df",
    "p_chi_square",
)


def _compared(section: TurnSection, first: str, second: str) -> dict[str, object]:
    """The beginning of a row, with all columns in their order."""
    return {**_of(section), "first": first, "second": second, **dict.fromkeys(_COMPARED)}


def _tested(tested: TestedTurns) -> dict[str, object]:
    return {
        "naive_test": tested.naive,
        "p_naive": tested.p_naive,
        "p_clustered": tested.p_clustered,
        "p": tested.p_value,
        "p_holm": tested.p_adjusted,
        "decided_by": tested.decided_by or "",
        "family": tested.family,
        "effective_turns": tested.effective_turns,
    }


def position_rows(results: PerTurnResults) -> Iterator[Row]:
    """``positions.csv``: how often the card at each position was selected."""
    for section in results.sections:
        if section.anchoring is not None:
            for one in section.anchoring.positions:
                yield {
                    **_of(section),
                    "position": one.position,
                    "turns": section.anchoring.turns,
                    "selected": one.selected,
                    "rate": one.rate,
                    **_span("clustered", one.interval),
                    "p": section.anchoring.p_value,
                }


def cascading_rows(results: PerTurnResults) -> Iterator[Row]:
    """``cascading.csv``: how often what was selected is selected on the next turn."""
    for section in results.sections:
        for one in section.cascading:
            yield {
                **_of(section),
                "bot": one.bot or "(ties)",
                "win_rate": one.found.base,
                "reselected": one.found.rate,
                "expected": one.found.expected,
                "turns_after": one.found.after,
                "p": one.found.p_value,
            }


def screening_rows(results: PerTurnResults) -> Iterator[Row]:
    """``screening.csv``: what every rule excludes, and which verdicts it changes."""
    for rule in results.screening.rules:
        yield {
            "rule": rule.rule,
            "applied": rule.is_applied,
            "dialogues": rule.dialogues,
            "turns": rule.turns,
            "verdicts_changed": "; ".join(rule.changes),
        }


def setting_rows(results: PerTurnResults) -> Iterator[Row]:
    """``settings.csv``: every two bots that several sections compare."""
    for pair in results.across:
        for one in pair.settings:
            yield {
                "first": pair.first,
                "second": pair.second,
                "section": one.section,
                "design": one.design,
                "turns": one.turns,
                "difference": one.difference,
                "better": one.better or "",
                "same_verdict": pair.same_verdict,
                "turns_needed": one.needed.turns if one.needed else None,
                "hours_needed": one.needed.hours if one.needed else None,
                "pay_needed": one.needed.pay if one.needed else None,
            }


def third_party_rows(results: PerTurnResults) -> Iterator[Row]:
    """``third_party.csv``: agreement of others who read the chats with those who had them."""
    for section in results.sections:
        for one in section.third_party:
            yield {
                **_of(section),
                "bot": one.bot or "(all)",
                "turns": one.turns,
                "dialogues": one.dialogues,
                "agreement": one.agreement,
                **_span("agreement", one.agreement_interval),
                "cohen_kappa": one.kappa,
                **_span("cohen_kappa", one.kappa_interval),
                "krippendorff_alpha": one.alpha,
                **_span("krippendorff_alpha", one.alpha_interval),
                "participants_selected": one.participant_rate,
                "readers_selected": one.reader_rate,
            }


def written_rows(results: PerTurnResults) -> Iterator[Row]:
    """``written.csv``: replies that annotators wrote beside those of the bots."""
    for section in results.sections:
        for one in section.written:
            yield {
                **_of(section),
                "bot": one.bot or "(all)",
                "replies": one.replies,
                "judgments": one.judgments,
                "better": one.better,
                **_span("better", one.better_interval),
                **_span("better_naive", one.better_naive),
                "at_least_as_good": one.at_least,
                **_span("at_least_as_good", one.at_least_interval),
                **_span("at_least_as_good_naive", one.at_least_naive),
            }


def whole_rows(results: PerTurnResults) -> Iterator[Row]:
    """``whole.csv``: what every section answered about the whole conversation."""
    for section in results.sections:
        for one in section.whole:
            yield {
                **_of(section),
                "asked": one.name,
                "text": one.text,
                "dialogues": one.dialogues,
                "annotators": one.annotators,
                "points": len(one.counts),
                "mean": one.mean,
                **_span("clustered", one.interval),
                "counts": "|".join(map(str, one.counts)),
            }


def whole_difference_rows(results: PerTurnResults) -> Iterator[Row]:
    """``whole_differences.csv``: every two sections by what was answered about the whole conversation."""
    for one in results.whole_differences:
        yield {
            "asked": one.name,
            "first": one.first,
            "second": one.second,
            "first_mean": one.means[0],
            "second_mean": one.means[1],
            **_span("interval", one.interval),
            "p": one.p_value,
            "p_holm": one.p_adjusted,
            "family": one.family,
            "higher": one.higher or "",
        }


def _of(section: TurnSection) -> dict[str, object]:
    return {
        "arm": section.arm,
        "revision": section.revision,
        "question": section.question,
        "design": section.design,
        "bots": "|".join(section.names),
    }


def _span(name: str, interval: Interval | None) -> dict[str, object]:
    return {
        f"{name}_low": interval.low if interval else None,
        f"{name}_high": interval.high if interval else None,
        f"{name}_level": interval.level if interval else None,
    }
