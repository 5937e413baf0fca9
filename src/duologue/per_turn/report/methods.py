"""The methods paragraph of per-turn data: all that a reader needs to judge, or repeat, the analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.per_turn.analysis.results import ADJUSTED
from duologue.per_turn.report.view import rules_that_apply, whole_levels
from duologue.per_turn.rules import RULES
from duologue.per_turn.settings import PerTurnSettings
from duologue.protocols import say_arm, say_count, say_list, say_percent
from duologue.reports import (
    FROM_A_FILE,
    analysed_with,
    asked_besides,
    attention_checks,
    planned_before,
    recruited,
    took_part,
)
from duologue.stats import MOST_PERMUTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from duologue.per_turn import PerTurnResults, TestedTurns, TurnSection
    from duologue.studies import Study

CITATIONS = (
    "Sijia Liu, Patrick Lange, Behnam Hedayatnia, Alexandros Papangelis, Di Jin, Andrew Wirth, Yang Liu and "
    "Dilek Hakkani-Tur. 2023. Towards Credible Human Evaluation of Open-Domain Dialog Systems Using "
    "Interactive Setup. AAAI 2023.",
    "Eric Michael Smith, Orion Hsu, Rebecca Qian, Stephen Roller, Y-Lan Boureau and Jason Weston. 2022. "
    "Human Evaluation of Conversations is an Open Problem: comparing the sensitivity of various methods for "
    "evaluating dialogue agents. arXiv:2201.04723.",
)

_ASKED = {
    "single": "one bot answered, and its reply was selected or not; the chat went on with it",
    "soba": "exactly one reply was selected as the best one, and the chat went on with it",
    "sata-random": (
        "all replies that apply were selected, or none; the chat went on with a random one of those "
        "selected, or of all when none was"
    ),
    "sata-user": (
        "all replies that apply were selected, or none; the chat went on with a random one of those "
        "selected, and when none was, with a reply that the annotator wrote"
    ),
}


def methods_paragraph(results: PerTurnResults, study: Study | None) -> str:
    """How turns were judged, screened and tested, in sentences for a paper."""
    said = [] if study is not None else [FROM_A_FILE]
    is_read = any(section.is_read for section in results.sections)
    said += [*_asked(results, study), *_worded(results, study)]
    said += [] if study is None else asked_besides(results, study)
    said.append(_collected(results))
    said += [*_planned(results, study), _screened(results)]
    said += [] if study is None else attention_checks(study, results)
    said += _read(results) if is_read else _tested(results, study)
    said += _whole(results)
    if study is not None:
        said.append(recruited(study))
    said += [*took_part(results), *planned_before(results), *analysed_with(results)]
    return " ".join(said)


def _asked(results: PerTurnResults, study: Study | None) -> Iterator[str]:
    """What annotators did; of a table no more than it holds."""
    if any(section.is_read for section in results.sections):
        blind = ", shown in a new random order, without knowing the bots or what was selected"
        yield (
            "Annotators read chats that others had had, and judged the replies of every turn that is asked "
            f"about{blind if study is not None else ''}."
        )
        return
    blind = ", shown in an order drawn at random on every turn, without knowing the bots"
    yield (
        "Annotators chatted, and judged the replies of the bots on every turn"
        f"{blind if study is not None else ''}."
    )
    if any(section.mechanism != "single" for section in results.sections):
        written = any(section.setting == "sata-user" for section in results.sections)
        reply = "one of the replies, or one that the annotator wrote" if written else "one of the replies"
        yield (
            f"All bots of a turn continue one shared history, which went on with {reply}: the verdicts are "
            "about replies in shared chats, not about chats that each bot has by itself."
        )
    designs = {section.design: section for section in results.sections if not section.question}
    for design, section in designs.items():
        yield f"{design}: {_ASKED[section.setting or 'single']}."


def _worded(results: PerTurnResults, study: Study | None) -> Iterator[str]:
    """What annotators were asked, word for word."""
    settings = None if study is None else study.settings
    if not isinstance(settings, PerTurnSettings):
        return
    used = dict.fromkeys(section.setting for section in results.sections)
    yield _ended(f"They were asked: {_quoted(settings.words(setting) for setting in used)}")
    further = [settings.words_for(one, setting) for one in settings.dimensions for setting in used]
    if further:
        yield _ended(f"About the same replies they were also asked: {_quoted(further)}")


def _ended(said: str) -> str:
    """With a full stop, unless a question or sentence that is quoted last has its own."""
    return said if said[-2] in ".?!" else f"{said}."


def _quoted(words: Iterable[str]) -> str:
    return say_list([f"\u201c{one}\u201d" for one in dict.fromkeys(words)])


def _collected(results: PerTurnResults) -> str:
    main = [section for section in results.sections if not section.question]
    dialogues, turns = sum(one.dialogues for one in main), sum(one.turns for one in main)
    if not turns:
        return "No turn counts."
    count = "counts" if turns == 1 else "count"
    return f"{say_count(turns, 'turn')} of {say_count(dialogues, 'dialogue')} {count}."


def _planned(results: PerTurnResults, study: Study | None) -> Iterator[str]:
    """Why there are so many turns, as the study file says it."""
    planned = [(one, one.power) for one in results.sections if not one.question and one.power is not None]
    turns = [
        f"{power.planned_turns:,}{f' in the arm {section.arm}' if say_arm(section.arm) else ''}"
        for section, power in planned
        if power.planned_turns is not None
    ]
    if study is None or not turns:
        return
    stopping = study.file.stopping
    yield (
        f"The planned number of turns that count is {say_list(turns)}. The study file states a gap of "
        f"{planned[0][1].gap:g} between win rates that is worth finding, a power of "
        f"{say_percent(stopping.power)}, alpha {stopping.alpha:g}, a correlation of turns of one dialogue "
        f"(ICC) of {stopping.icc:g}, and the stopping rule {stopping.rule}."
    )


def _screened(results: PerTurnResults) -> str:
    applied = [rule for rule in rules_that_apply(results) if rule.is_applied]
    if not applied:
        return "No rule of screening was applied."
    counts = say_list([f"{RULES[one.rule]} ({say_count(one.turns, 'turn')})" for one in applied])
    return f"These were excluded: {counts}. {results.screening.sentence}"


def _read(results: PerTurnResults) -> Iterator[str]:
    if any(section.third_party for section in results.sections):
        yield (
            "Agreement of each reader with the participant is Cohen's kappa, that of all of them "
            "Krippendorff's alpha (nominal), both over cards; their intervals are from the jackknife over "
            "dialogues with Student's t."
        )
    if any(section.written for section in results.sections):
        yield (
            "A reply that was written was shown among those of the bots. It counts as better where it was "
            "selected and no reply of a bot was, and as at least as good unless one was and it was not; "
            "intervals are clustered by dialogue and annotator (CR3)."
        )


def _whole(results: PerTurnResults) -> Iterator[str]:
    answers = [one for section in results.sections for one in section.whole]
    if answers:
        clustered = "; intervals of the means are clustered by annotator and dialogue (CR3)"
        yield (
            "After the chat, annotators answered questions about the whole conversation"
            f"{_questions(results)}{clustered if any(one.interval for one in answers) else ''}."
        )
    if results.whole_differences:
        yield (
            "Every two sections were compared by these answers with the calibrated contrast, which removes "
            "how lenient annotators are (Welch's test where nobody answered twice), adjusted by Holm's "
            f"method as a family of their own. {whole_levels(results)}".rstrip()
        )


def _questions(results: PerTurnResults) -> str:
    """Those that are known word for word."""
    words = [one.text for section in results.sections for one in section.whole if one.text]
    return f" ({_quoted(words)})" if words else ""


def _tested(results: PerTurnResults, study: Study | None) -> Iterator[str]:
    with_verdict = [section for section in results.sections if _has_verdict(section)]
    if with_verdict:
        yield from _tests(results, with_verdict, study)
    else:
        yield "No comparison could be tested: there is no verdict on any bot."
    if any(section.cascading for section in results.sections):
        yield (
            "Whether a selection makes the same one likelier on the next turn was tested by shuffling the "
            "turns within each dialogue."
        )


def _compared(section: TurnSection) -> list[TestedTurns]:
    """What was compared in a section."""
    found = [*(pair.tested for pair in section.pairs), *(one.tested for one in section.against)]
    return found if section.all_bots is None else [*found, section.all_bots.tested]


def _has_verdict(section: TurnSection) -> bool:
    return any(tested.p_value is not None for tested in _compared(section))


def _tests(results: PerTurnResults, sections: Sequence[TurnSection], study: Study | None) -> Iterator[str]:
    tests = {
        "PM-SOBA": "two bots by the exact binomial test",
        "PM-SATA": "two bots by McNemar's test (mid-p)",
        "MM-SOBA": "several bots by Pearson's chi-square",
        "MM-SATA": "several bots by Cochran's Q and then every pair by McNemar's test (mid-p)",
        "SM": "a single bot by the exact binomial test against a stated standard",
    }
    found = {one for one in tests for section in sections if section.design.startswith(one)}
    yield f"These tests were used: {say_list([tests[one] for one in tests if one in found])}."
    yield (
        "Turns of one dialogue, or of one annotator, are correlated. So each of these p-values was replaced "
        "by that of a cluster-robust test (CR3, the jackknife over dialogues and annotators; of one bot on "
        "the scale of log-odds; for several bots Hotelling's T², with bots permuted within clusters where "
        f"there are {MOST_PERMUTED} clusters or fewer) where that is larger."
    )
    compared = [tested for section in sections for tested in _compared(section)]
    is_adjusted = any(tested.family > 1 for tested in compared)
    adjusted = "P-values were adjusted by Holm's method, and intervals" if is_adjusted else "Intervals"
    people = "people recruited and instructed as these were"
    if study is not None and not study.file.annotators.recruited.strip():
        people = "the people who took part"
    yield (
        f"{adjusted} invert the deciding tests: the chance of calling any two equal bots different is "
        f"{results.alpha:g} or less in each family. Dialogues and annotators are taken as samples: verdicts "
        f"are about chats of {people}, with these versions of the bots."
    )
    if any(tested.naive == ADJUSTED for tested in compared):
        yield (
            "Where positions were not balanced over the bots, the means of their rates at each position were "
            "compared (CR3)."
        )
