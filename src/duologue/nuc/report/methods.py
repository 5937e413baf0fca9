"""The methods paragraph of a questionnaire: all that a reader needs to judge, or repeat, it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from duologue.nuc.analysis.comparing import FEW
from duologue.nuc.analysis.results import NucResults
from duologue.nuc.questions import question_of
from duologue.nuc.settings import NucSettings
from duologue.protocols import read_items, say_count, say_level, say_list
from duologue.reports import (
    FROM_A_FILE,
    analysed_with,
    asked_besides,
    attention_checks,
    interim_looks,
    planned_before,
    recruited,
    took_part,
)

if TYPE_CHECKING:
    from duologue.studies import Study

CITATIONS = (
    "Ryan Lowe, Iulian V. Serban, Mike Noseworthy, Laurent Charlin and Joelle Pineau. 2016. On the "
    "Evaluation of "
    "Dialogue Systems with Next Utterance Classification. SIGDIAL. arXiv:1605.05414.",
    "Lawrence D. Brown, T. Tony Cai and Anirban DasGupta. 2001. Interval Estimation for a Binomial "
    "Proportion. "
    "Statistical Science 16(2).",
)


def methods_paragraph(results: NucResults, study: Study | None) -> str:
    """How the questions were asked, answers screened and recall estimated, in sentences for a paper."""
    said = [FROM_A_FILE]
    if study is not None:
        said = [_asked(results, study), *asked_besides(results, study), *_why_so_many(results, study)]
        said += [*attention_checks(study, results), recruited(study), *took_part(results)]
    said += _recall(results, study) if results.n else ["No answer counts: there is no recall of people."]
    said += planned_before(results)
    said += interim_looks(results.warnings)
    said += analysed_with(results)
    return " ".join(said)


def _recall(results: NucResults, study: Study | None) -> list[str]:
    """How many answers were analysed, and how."""
    answers, were = say_count(results.n, "answer"), "was" if results.n == 1 else "were"
    return [
        f"{answers} of {say_count(results.annotators, 'annotator')} {were} analysed.",
        "Recall@1 is the share of answers whose best reply is the one that was given in the conversation, "
        "Recall@2 of those whose best or second-best reply is.",
        *_intervals(results),
        *_compared(results),
        *_about_whom(results, study),
    ]


def _why_so_many(results: NucResults, study: Study) -> list[str]:
    """The numbers and the reasons that the frozen plan states, and no others."""
    plan = None if results.conduct is None else results.conduct.plan
    if plan is None:
        return []
    items = read_items(study.items_path) if study.items_path.is_file() else ()
    asked = {(one.group, question_of(one).item) for one in items if one.is_judged}
    questions = {corpus: f" to {n:,} questions" for corpus, n in Counter(one for one, _ in asked).items()}
    numbers = say_list(
        f"{one.planned:,} answers{questions.get(one.group, '')} in {one.group}" for one in plan.numbers
    )
    return [
        f"The plan asked for {numbers}.",
        f"It states a difference of {plan.gap:g} in Recall@1 as worth finding with power {plan.power:g} at "
        f"alpha {plan.alpha:g}, and an intraclass correlation of {plan.icc:g} of answers by one annotator; "
        "it states none of answers to one question, and no other reason for these numbers.",
        f"The stopping rule was {'a fixed number' if plan.stopping == 'fixed' else plan.stopping}.",
    ]


def _intervals(results: NucResults) -> list[str]:
    if all(one.interval is None for one in results.recall.people):
        return []
    return [
        f"Intervals ({say_level(results.level)}) allow for answers of one annotator, and to one question, "
        "being correlated (two-way clustered variance, Student's t)."
    ]


def _compared(results: NucResults) -> list[str]:
    """The tests that were made: of cohorts, and of models where there are scores of any."""
    found, said = results.recall, []
    exact = (
        "the exact binomial test of that recall (on as many independent answers as there are effective "
        "clusters) had to agree."
    )
    if found.pairs:
        said.append(
            "Cohorts were compared by the difference of Recall@1 with the same kind of variance; p-values "
            "were adjusted by Holm's method over all comparisons of cohorts. Where a cohort has fewer than "
            f"{FEW} right or wrong answers, {exact}"
        )
    if found.against:
        people = "cohorts" if any(one.cohort for one in found.people) else "annotators"
        said.append(
            f"Models were compared with {people} on the same questions by the difference answer by answer; "
            "p-values were adjusted by Holm's method, of each model over its comparisons with "
            f"{people}{_together(results)}. For recall of models {exact}"
        )
    return said


def _about_whom(results: NucResults, study: Study | None) -> list[str]:
    people = results.recall.people
    if not people:
        return []
    corpora = say_list(sorted({one.corpus for one in people}))
    if study is not None and not study.file.annotators.recruited.strip():
        return [
            "Annotators and questions both count as samples: results are about questions made like these, of "
            f"{corpora}, and it is not stated of which people these annotators are a sample."
        ]
    cohorts = list(dict.fromkeys(one.cohort for one in people if one.cohort))
    noun = "cohort" if len(cohorts) == 1 else "cohorts"
    who = f"those of the {noun} {say_list(cohorts)}" if cohorts else "these annotators"
    return [
        f"Annotators and questions both count as samples: results are about people like {who} and about "
        f"questions made like these, of {corpora}."
    ]


def _together(results: NucResults) -> str:
    declared = results.recall.declared
    return f" ({say_list(declared)} together)" if len(declared) > 1 else ""


def _asked(results: NucResults, study: Study) -> str:
    settings = study.settings
    assert isinstance(settings, NucSettings)  # noqa: S101  the study's protocol is nuc
    which = "a questionnaire"
    if settings.versions > 1:
        which = f"one of {settings.versions} versions of a questionnaire"
    background = ""
    if settings.show_background:
        background = (
            " Where the corpus says something of the speakers (persona lines), annotators read it beside the "
            "conversation."
        )
    shares = " by stated shares that differ between cohorts" if settings.cohorts else ""
    corpora = {one.corpus for one in results.recall.people}
    spread = f", spread over the corpora{shares}" if len(corpora) > 1 else ""
    return (
        f"Annotators answered {which} with "
        f"{settings.per_annotator} questions{spread}. Each question was the beginning of a "
        "conversation and a list of candidate replies in random order, one of which was really given; "
        f"annotators chose the best and the second-best reply (“{settings.question}”).{background}"
    )
