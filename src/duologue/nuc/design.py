"""What is said of a questionnaire before anybody answers: whether it works, and what will happen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from duologue.dialogues import read_scores
from duologue.errors import DesignError, DuologueError
from duologue.nuc.questions import question_of
from duologue.nuc.settings import NucSettings
from duologue.protocols import Item
from duologue.studies import (
    ProtocolDesign,
    Study,
    StudyCheck,
    asked_besides,
    odd_onboarding,
    planned_items,
    time_and_cost,
)


def nuc_settings(study: Study) -> NucSettings:
    """The ``[nuc]`` table of a study.

    Raises:
        DesignError: The study has another protocol.
    """
    if not isinstance(study.settings, NucSettings):
        raise DesignError(f"{study.name} is a {study.protocol.name} study, not one of nuc.")
    return study.settings


class NucDesign(ProtocolDesign):
    """Versions of a questionnaire: checked and described."""

    noun: ClassVar[str] = "question"

    def check(self, study: Study) -> StudyCheck:
        """Whether there are questions enough, and attention checks for those who should meet them."""
        settings, items = nuc_settings(study), planned_items(study)
        return StudyCheck(warnings=tuple(_odd(study, settings, items)))

    def describe(self, study: Study) -> Iterator[str]:
        """The versions, what is asked, who answers how much, and what it costs."""
        settings, items = nuc_settings(study), planned_items(study)
        judged = [item for item in items if item.is_judged]
        yield (
            f"Next utterance classification: {settings.versions} versions of a questionnaire from "
            f"{settings.items}; {_replies(judged)} replies to a question."
        )
        for whose, first in _first_versions(judged).items():
            of = Counter(item.group for item in judged if item.block == first)
            shares = ", ".join(f"{count} of {corpus}" for corpus, count in of.items())
            yield f"A version{f' for {whose}' if whose else ''}: {sum(of.values())} questions ({shares})."
        yield f"Question: {settings.question} ({settings.best_label}, {settings.second_label})"
        if settings.show_background:
            yield "Annotators also read what the corpus says about the speakers."
        checks = len(items) - len(judged)
        if checks and study.caps.attention.is_on:
            yield f"Attention checks: {checks} to draw from, looking like any other question."
        answers = wanted_answers(study, judged)
        people = sum(_people(study, judged).values())
        yield f"Answers: {answers:,}, by {people:,} annotators."
        besides = asked_besides(study, judgments=answers, annotators=people)
        yield from time_and_cost(study, answers, what="question", besides=besides)


def _odd(study: Study, settings: NucSettings, items: Sequence[Item]) -> Iterator[str]:
    wanted = study.caps.attention.per_sitting or 0
    judged = [item for item in items if item.is_judged]
    checks = len(items) - len(judged)
    if checks and wanted > checks:
        yield f"[attention] asks for {wanted} attention checks in a sitting, and there are {checks}."
    corpora = {item.group for item in items}
    cohorts = {cohort.name for cohort in study.file.cohorts}
    for cohort in study.caps.items_of:
        yield (
            f"{cohort} has items in [[cohorts]], which cuts versions short: say per_annotator in "
            f"[nuc.cohorts.{cohort}] instead."
        )
    most, longest = study.caps.max_judgments, max(Counter(item.block for item in judged).values(), default=0)
    if most is not None and most < longest:
        yield (
            f"[annotators] max_judgments is {most}, which cuts versions of {longest} questions short: say "
            "per_annotator in [nuc] instead."
        )
    for corpus, pooled in settings.pool.items():
        if corpus not in corpora:
            yield f"[nuc] pool: there is no corpus {corpus!r}; the corpora are: {', '.join(sorted(corpora))}."
        if strange := [name for name in pooled if name not in cohorts]:
            yield f"[nuc] pool: there is no cohort {strange[0]!r}."
    yield from odd_onboarding(study)
    yield from _odd_scores(study, settings, items)


def _odd_scores(study: Study, settings: NucSettings, items: Iterable[Item]) -> Iterator[str]:
    """What stands in the way of models in the report; people can answer all the same."""
    scored: defaultdict[str, set[str]] = defaultdict(set)
    for name in settings.scores:
        try:
            for one in read_scores(study.folder / name):
                scored[one.model].add(one.item)
        except DuologueError as error:
            yield f"[nuc] scores: {error}"
    asked = {question_of(item).item for item in items if item.is_judged}
    for model, of in scored.items():
        if missing := asked - of:
            yield (
                f"[nuc] scores: {model} has none for {len(missing)} of {len(asked)} questions, such as "
                f"{min(missing)}. Score {settings.items}."
            )


def _replies(judged: Iterable[Item]) -> str:
    numbers = sorted({item.slots for item in judged})
    return " or ".join(map(str, numbers))


def _first_versions(judged: Iterable[Item]) -> Mapping[str, str]:
    """The first version of everybody, and of each cohort with its own, by whose they are."""
    found: dict[str, str] = {}
    for item in judged:
        whose = item.block.rpartition(" ")[0]
        found.setdefault(whose, item.block)
    return found


def wanted_answers(study: Study, judged: Iterable[Item]) -> int:
    """How many answers the study wants."""
    copies = study.caps.copies_wanted
    return sum(sum(copies[name] for name in item.cohorts or copies) for item in judged)


def _people(study: Study, judged: Iterable[Item]) -> Counter[str]:
    """How many annotators answer each version, by its name."""
    copies = study.caps.copies_wanted
    return Counter({item.block: sum(copies[name] for name in item.cohorts or copies) for item in judged})
