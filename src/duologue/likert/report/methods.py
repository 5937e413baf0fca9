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
from duologue.likert.report.view import clustered_by
from duologue.protocols import say_list
from duologue.reports import (
    FROM_A_FILE,
    analysed_with,
    interim_looks,
    judged_material,
    planned_before,
    recruited,
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
        said = [_asked(study), *judged_material(results), *changed_material(study), _screened(study)]
        said += [recruited(study), *took_part(results)]
        if results.gap is not None:
            gap = f"a difference of {results.gap:g} points of the scale"
            said += why_so_many(results, of="bot", gap=gap, is_worked_out=False)
    said += [_collected(section) for section in results.sections]
    said.append(_tested(results))
    said += planned_before(results)
    said += interim_looks(results.warnings)
    said += analysed_with(results)
    return " ".join(said)


def _asked(study: Study) -> str:
    settings = study.settings
    assert isinstance(settings, LikertSettings)  # noqa: S101  the study's protocol is likert
    how = _chatted(study) if settings.source == "live" else _read(settings)
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


def _read(settings: LikertSettings) -> str:
    people = settings.annotations_per_dialogue
    return (
        "Annotators read finished dialogues without knowing which bot spoke, each dialogue by "
        f"{people} annotator{'s' * (people != 1)}, and answered"
    )


def _question(question: RatingQuestionSettings) -> str:
    points = ", ".join(f"{value} {label}".rstrip() for value, label in question.points)
    return f"“{question.text}” ({points})"


def _screened(study: Study) -> str:
    screening, rules = study.file.screening, []
    settings = study.settings
    assert isinstance(settings, LikertSettings)  # noqa: S101  the study's protocol is likert
    if settings.source == "live" and screening.exclude:
        rules.append(f"chats flagged for {', '.join(screening.exclude)} were excluded")
    if study.file.annotators.exclude_without_reason and settings.reason == "required":
        rules.append("judgments of annotators who never gave a reason were excluded")
    return f"Screening: {'; '.join(rules)}." if rules else "No judgment was excluded by a rule of screening."


def _collected(section: RatingSection) -> str:
    where = f" ({section.title})" if section.title else ""
    by = f" by {section.annotator_count:,} annotators" if section.annotator_count is not None else ""
    found = section.exclusions
    broken = f" {say_unrated(found.unrated)}" if found.unrated else ""
    time = ""
    if section.time is not None:
        time = (
            f" The median judgment took {section.time.median}; all of them, excluded ones "
            f"included, took {section.time.work}."
        ) + (f" {section.time.note}" if section.time.note else "")
    return (
        f"Of {found.collected:,} judgments collected{where}, "
        f"{sum(rule.judgments for rule in found.rules):,} were excluded; {section.n:,}{by} count."
        f"{broken}{time}"
    )


def _tested(results: LikertResults) -> str:
    level = f"{100 * results.level:g} %"
    pairs = [p for section in results.sections for question in section.questions for p in question.pairs]
    said = [
        f"Mean ratings carry {level} {_intervals(results)}.",
        "To remove the leniency of annotators, means were calibrated with a Gaussian model of bots and "
        "annotators in closed form, its variances estimated by REML (after Kulikov et al., 2018).",
        *_verdicts(pairs),
    ]
    family = max((pair.family for pair in pairs), default=0)
    if family:
        said.append(
            f"P-values were adjusted by Holm's method over {family:,} pair{'s' * (family != 1)} at "
            f"alpha = {results.alpha:g}."
        )
        said.append(results.family)
        said.append(
            "Intervals of differences are the union of those that invert these tests, at the level at which "
            f"Holm's method decided; the unadjusted {100 * (1 - results.alpha):g} % intervals are given "
            "beside them."
        )
    if any(pair.verdict.more_per_bot for pair in pairs) and results.gap is not None:
        said.append(
            f"Ratings said to be missing are those for a difference of {results.gap:g} points with "
            f"{100 * results.power:g} % power at the strictest step of Holm's method, given the standard "
            "error seen."
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
    by = [clustered_by(question) for section in results.sections for question in section.questions]
    found = list(dict.fromkeys(filter(None, by)))
    if not found:
        return "intervals (Student's t)"
    return f"cluster-robust intervals by {' or by '.join(found)} (CR3, Student's t)"


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
