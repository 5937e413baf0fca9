"""The methods paragraph of a likert study: all that a reader needs to judge, or repeat, it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.likert import (
    LikertResults,
    LikertSettings,
    RatingPair,
    RatingQuestionSettings,
    RatingSection,
)
from duologue.likert.analysis.exclusions import say_unrated
from duologue.likert.design.numbers import RATING_SD, power_of_ratings
from duologue.likert.design.table import likert_settings
from duologue.likert.report.view import clustered_by
from duologue.protocols import say_count, say_list, say_power_percent
from duologue.reports import (
    FROM_A_FILE,
    analysed_with,
    asked_besides,
    attention_checks,
    interim_looks,
    judged_material,
    planned_before,
    recruited,
    say_collected,
    took_part,
    why_so_many,
)
from duologue.studies import Study, changed_material

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CITATIONS = (
    "Emily Dinan, Varvara Logacheva, Valentin Malykh, Alexander Miller, Kurt Shuster, Jack Urbanek, Douwe "
    "Kiela, Arthur Szlam, Iulian Serban, Ryan Lowe, Shrimai Prabhumoye, Alan W Black, Alexander Rudnicky, "
    "Jason Williams, Joelle Pineau, Mikhail Burtsev and Jason Weston. 2019. The Second Conversational "
    "Intelligence Challenge (ConvAI2). arXiv:1902.00098.",
    "Ilya Kulikov, Alexander H. Miller, Kyunghyun Cho and Jason Weston. 2018. Importance of a Search "
    "Strategy in Neural Dialogue Modelling. arXiv:1811.00907.",
)

_REASONS = {
    "optional": "They could say why.",
    "required": "They had to say why.",
    "off": "No reason was asked for.",
}


def methods_paragraph(results: LikertResults, study: Study | None) -> str:
    """How the ratings were asked for, screened and tested, in sentences for a paper."""
    said = [FROM_A_FILE]
    if study is not None:
        is_complete = not interim_looks(results.warnings)
        said = [_asked(study, is_complete=is_complete), *asked_besides(results, study)]
        said += judged_material(results)
        said += [*changed_material(study), _screened(study, results), *attention_checks(study, results)]
        said += [recruited(study), *took_part(results)]
        if results.gap is not None:
            gap = f"a difference of {results.gap:g} points of the scale"
            said += why_so_many(results, of="bot", gap=gap, is_worked_out=False)
            said += _too_few(results, study)
    said += [_collected(section) for section in results.sections]
    said.append(_tested(results))
    said += planned_before(results)
    said += interim_looks(results.warnings)
    said += analysed_with(results)
    return " ".join(filter(None, said))


def _too_few(results: LikertResults, study: Study) -> Iterator[str]:
    """That the planned number has less power than the plan states, where it has."""
    plan = None if results.conduct is None else results.conduct.plan
    planned = {} if plan is None else {one.group: one.planned for one in plan.numbers}
    if plan is None or len(planned) < 2:
        return
    power = power_of_ratings(study, likert_settings(study), planned)
    if power < plan.power:
        yield (
            f"For this difference so many judgments have a power of {say_power_percent(power)}, less than "
            f"the plan states, by the test of the analysis and with a standard deviation of {RATING_SD:g}."
        )


def _asked(study: Study, *, is_complete: bool) -> str:
    settings = likert_settings(study)
    how = _chatted(study) if settings.source == "live" else _read(settings, is_complete=is_complete)
    questions = say_list(map(_question, settings.questions))
    one_by_one = ", one question at a time," if len(settings.questions) > 1 else ""
    personas = ""
    if settings.persona_detection:
        personas = (
            f" Then they were shown the partner's persona and another one, sides drawn at random, and asked "
            f"“{settings.persona_question}”"
        )
    return f"{how}{one_by_one} {questions}.{personas} {_REASONS[settings.reason]}"


def _chatted(study: Study) -> str:
    chat = study.file.chat
    human = ", other annotators among them," if chat.human_partner else ""
    each = {1: "once", 2: "twice"}.get(chat.chats_per_annotator, f"{chat.chats_per_annotator} times")
    first = {
        "annotator": "the annotator began",
        "partner": "the partner began",
        "balanced": "each began half of the chats",
    }[chat.first]
    return (
        f"Annotators chatted with the bots{human} without knowing whom they talked to, at most {each} with "
        f"each of them, for {_exchanges(chat.min_exchanges, chat.max_exchanges)}; {first}. Bots were "
        "assigned at random and in balance. After the chat the annotator answered"
    )


def _exchanges(fewest: int, most: int) -> str:
    """How long a chat is.

    Example:
        >>> _exchanges(4, 6), _exchanges(1, 1)
        ('4 to 6 exchanges', '1 exchange')
    """
    if fewest < most:
        return f"{fewest} to {most} exchanges"
    return f"{most} exchange{'' if most == 1 else 's'}"


def _read(settings: LikertSettings, *, is_complete: bool) -> str:
    people = say_count(settings.annotations_per_dialogue, "annotator")
    were = "each was read" if is_complete else "each was to be read"
    return f"Annotators read finished dialogues ({were} by {people}) without knowing who spoke, and answered"


def _question(question: RatingQuestionSettings) -> str:
    points = ", ".join(f"{value} {label}".rstrip() for value, label in question.points)
    return f"“{question.text}” ({points})"


def _screened(study: Study, results: LikertResults) -> str:
    screening, settings = study.file.screening, likert_settings(study)
    if screening.exclude:
        what = "chats" if settings.source == "live" else "judgments"
        return f"Screening: {what} flagged for {', '.join(screening.exclude)} were excluded."
    return "" if attention_checks(study, results) else "No judgment was excluded by a rule of screening."


def _collected(section: RatingSection) -> str:
    where = f" ({section.title})" if section.title else ""
    people = section.annotator_count
    by = "" if people is None else f" by {say_count(people, 'annotator')}"
    found = section.exclusions
    broken = f" {say_unrated(found.unrated)}" if found.unrated else ""
    time = "" if section.time is None else f" {section.time.sentence}"
    said = say_collected(
        where,
        collected=found.collected,
        onboarding=found.onboarding,
        rules=found.rules,
        counted=f"{section.n:,}{by}",
    )
    return f"{said}{broken}{time}"


def _tested(results: LikertResults) -> str:
    if not any(section.n for section in results.sections):
        return "No rating counts: there is no mean, and nothing was tested."
    level = f"{100 * results.level:g} %"
    pairs = [p for section in results.sections for question in section.questions for p in question.pairs]
    said = [_intervals(results)]
    if any(question.calibration for section in results.sections for question in section.questions):
        said.append(
            "To remove the leniency of annotators, means were calibrated with a Gaussian model of bots and "
            "annotators in closed form, its variances estimated by REML (after Kulikov et al., 2018)."
        )
    said += _verdicts(pairs)
    family = max((pair.family for pair in pairs if not pair.verdict.why_none), default=0)
    if family:
        said.append(
            f"P-values were adjusted by Holm's method over {family:,} pairs at alpha = {results.alpha:g}."
            if family > 1
            else f"There is one test, so that no p-value was adjusted; alpha = {results.alpha:g}."
        )
        said.append(results.family)
        at_level = (
            f", at the level at which Holm's method decided; the unadjusted {100 * (1 - results.alpha):g} % "
            "intervals are given beside them"
        )
        said.append(
            "Intervals of differences are the union of those that invert these tests"
            f"{at_level if family > 1 else ''}."
        )
    if any(pair.verdict.more_per_bot for pair in pairs) and results.gap is not None:
        strictest = " at the strictest step of Holm's method" if family > 1 else ""
        said.append(
            f"Ratings said to be missing are those for a difference of {results.gap:g} points of each "
            f"question's own scale with {100 * results.power:g} % power{strictest}, "
            "given the standard error seen."
        )
    if any(question.ordinal for section in results.sections for question in section.questions):
        said.append(
            "A cumulative-logit model with annotators' leniency checks what treating points as numbers does; "
            "it decides nothing."
        )
    if any(section.personas for section in results.sections):
        said.append(f"Persona detection carries {level} Wilson intervals.")
    said.append("Volunteers (open link, Telegram) and invited annotators are never pooled.")
    return " ".join(filter(None, said))


def _intervals(results: LikertResults) -> str:
    """What the intervals of means are; empty where no mean has one."""
    questions = [question for section in results.sections for question in section.questions]
    found = list(dict.fromkeys(filter(None, map(clustered_by, questions))))
    if not found:
        has_naive = any(bot.naive_interval for question in questions for bot in question.bots)
        independent = f"Mean ratings carry {100 * results.level:g} % intervals (Student's t)"
        return f"{independent}, as if all ratings were independent." if has_naive else ""
    return (
        f"Mean ratings carry {100 * results.level:g} % cluster-robust intervals by {' or by '.join(found)} "
        "(CR3, Student's t)."
    )


def _verdicts(pairs: Sequence[RatingPair]) -> Iterator[str]:
    """The tests that decided, those of them that there are."""
    tests = {pair.decided_by for pair in pairs}
    if any(pair.calibrated for pair in pairs):
        yield (
            "Bots were compared two by two by the difference of their calibrated means with Student's t on "
            "A − 1 degrees of freedom where all A annotators of the two bots rated both, and A − 2 otherwise."
        )
    if "welch" in tests:
        yield "Where nobody is known to have rated twice, bots were compared with Welch's t-test."
    if any(pair.clustered and pair.clustered.is_required for pair in pairs):
        yield (
            "Where a dialogue was rated several times, or an annotator rated one of two bots several times "
            "and the other one too, the p-value is the larger of that and a cluster-robust one (CR3, the "
            "jackknife over annotators and over dialogues, combined by inclusion and exclusion) of the plain "
            "means; estimate and interval are those of the test with the larger p-value."
        )
    if any(pair.verdict.why_none for pair in pairs):
        yield (
            "No verdict was given on bots all of whose ratings were by one annotator or of one dialogue, or "
            "that fewer than three annotators rated."
        )
