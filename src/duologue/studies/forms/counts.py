"""What annotators answered on forms, as counts per question: nothing in them leads back to a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from duologue.dialogues import Json
from duologue.protocols import NumberSummary, QuestionCounts
from duologue.studies.forms.settings import FormQuestion, FormSettings

FilledIn = tuple[str, Mapping[str, Json]]
"""The name of a form, and its answers by question."""


def count_answers(forms: Sequence[FormSettings], filled_in: Iterable[FilledIn]) -> tuple[QuestionCounts, ...]:
    """How every question was answered, in the order of the study; texts are only counted.

    Questions and choices of earlier revisions that are no longer asked come last.

    Args:
        forms: The forms of the study as they are now.
        filled_in: What was filled in.

    Example:
        >>> kinds = {"name": "lang", "kind": "one", "label": "Language", "choices": ["English", "German"]}
        >>> form = FormSettings(name="you", when="before", title="You", questions=[kinds])
        >>> dict(count_answers([form], [("you", {"lang": "German"}), ("you", {"lang": None})])[0].choices)
        {'English': 0, 'German': 1}
    """
    given: dict[tuple[str, str], list[Json]] = {
        (form.name, question.name): [] for form in forms for question in form.questions
    }
    for form, answers in filled_in:
        for question, answer in answers.items():
            given.setdefault((form, question), []).append(answer)
    known = {(form.name, question.name): question for form in forms for question in form.questions}
    return tuple(_counts(*key, known.get(key), answers) for key, answers in given.items())


def _counts(form: str, name: str, question: FormQuestion | None, answers: Sequence[Json]) -> QuestionCounts:
    there = [answer for answer in answers if answer is not None]
    chosen: Counter[str] = Counter(dict.fromkeys(question.choices if question is not None else (), 0))
    if question is not None and question.choices:
        for answer in there:
            chosen.update(map(str, answer) if isinstance(answer, list) else [str(answer)])
    numbers = sorted(
        float(one) for one in there if isinstance(one, int | float) and not isinstance(one, bool)
    )
    return QuestionCounts(
        form=form,
        question=name,
        label=question.label if question is not None else name,
        kind=question.kind if question is not None else "",
        answered=len(there),
        unanswered=len(answers) - len(there),
        choices=dict(chosen),
        numbers=NumberSummary(numbers[0], median(numbers), numbers[-1]) if numbers else None,
    )
