"""Writing the best phrasing into a study file: only its question changes, comments stay."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from duologue.acute.design.table import acute_settings
from duologue.acute.phrasings.results import AxisResult, PhrasingStudyResults
from duologue.acute.questions import Question
from duologue.acute.settings import AcuteSettings, NamedQuestionSettings
from duologue.errors import DesignError
from duologue.files import replacing
from duologue.store import look_at
from duologue.studies import Study

FILE_NAME = "study.toml"


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """The phrasing that was chosen, and where it stands now."""

    path: Path
    axis: str
    arm: str
    question: str
    """What the study file says: the id of a published question, or the wording."""
    text: str
    is_best: bool
    """Whether annotators agree most by it."""
    is_distinguished: bool
    """Whether it can be told from the next."""
    sentence: str
    is_changed: bool
    """Whether the file did not say so already."""


def write_phrasing(
    study: Study,
    found: PhrasingStudyResults,
    into: Study,
    *,
    axis: str | None = None,
    arm: str | None = None,
    new_revision: bool = False,
) -> WrittenQuestion:
    """Write a phrasing into a study file as the question to ask.

    The file is replaced whole or not at all. In the study of phrasings itself the phrasings become comments,
    and bots are compared from then on.

    Args:
        study: The study of phrasings.
        found: What it found.
        into: The study whose file is changed; it may be the same one.
        axis: Of which axis; needed where there are several.
        arm: Another phrasing than the best one.
        new_revision: Change the question of a study that has judgments by another one.

    Raises:
        DesignError: It is not clear which phrasing is meant, nobody has judged, the other study asks several
            questions, or it has judgments by another question.
    """
    result, chosen = _chosen(study, found, axis, arm)
    question = chosen.resolved()
    own = into.folder.resolve() == study.folder.resolve()
    _check_target(into, question, own=own, new_revision=new_revision)
    path = into.folder / FILE_NAME
    text = path.read_bytes().decode("utf-8")
    changed = with_question(_without_phrasings(text) if own else text, chosen)
    _check_written(path, changed, question, chosen)
    if changed != text:
        with replacing(path) as file:
            file.write(changed.encode("utf-8"))
    return WrittenQuestion(
        path=path,
        axis=result.axis,
        arm=chosen.name,
        question=chosen.question,
        text=question.text,
        is_best=chosen.name == result.best,
        is_distinguished=chosen.name == result.best and result.is_distinguished,
        sentence=result.sentence,
        is_changed=changed != text,
    )


def _chosen(
    study: Study, found: PhrasingStudyResults, axis: str | None, arm: str | None
) -> tuple[AxisResult, NamedQuestionSettings]:
    settings = acute_settings(study)
    arms = {one.name: one for one in settings.questions}
    if arm is not None and arm not in arms:
        raise DesignError(f"--arm {arm}: the phrasings of {study.name} are {', '.join(arms)}.")
    named = arms[arm].phrases if arm is not None else axis
    if named is None and len(settings.axes) > 1:
        raise DesignError(f"--axis: say of which axis, {' or '.join(settings.axes)}.")
    named = named or next(iter(settings.axes))
    if named not in settings.axes or axis not in (None, named):
        raise DesignError(f"--axis {axis}: the axes of {study.name} are {', '.join(settings.axes)}.")
    results = [one for one in found.axes if one.axis == named]
    result = results[-1]
    if arm is None and len({one.best for one in results}) > 1:
        raise DesignError(
            f"{named}: revisions of the study, or those recruited via an open link and others, agree most by "
            "different phrasings. Say which one with --arm."
        )
    name = arm or result.best
    if name is None:
        raise DesignError(f"{study.name}: nobody has judged by a phrasing of {named} yet.")
    return result, arms[name]


def _check_target(into: Study, question: Question, *, own: bool, new_revision: bool) -> None:
    settings = acute_settings(into)
    if settings.questions and not own:
        raise DesignError(
            f"{into.folder / FILE_NAME} asks several questions, each in an arm of its own. Write the "
            f"phrasing into the arm you mean: question = {_text(question.text)}."
        )
    asked = None if own else settings.resolved()
    if asked is not None and (asked.text, asked.choices) == (question.text, question.choices):
        return
    judged = look_at(into.database).judgments
    if judged and not new_revision:
        raise DesignError(
            f"{into.name} has {judged:,} judgment{'' if judged == 1 else 's'} by another question: a change "
            "would make a new revision, which is analysed apart. Say --new-revision if you mean that, or "
            "write it into another study with --into."
        )


def with_question(text: str, chosen: NamedQuestionSettings) -> str:
    """A study file with another question in its table ``[acute]``, all else as it was.

    Raises:
        DesignError: A value there is not on one line.

    Example:
        >>> chosen = NamedQuestionSettings(name="x", question="humanness")
        >>> with_question('[acute]\\nquestion = "engagingness" # old\\n', chosen)
        '[acute]\\nquestion = "humanness" # old\\n'
    """
    wanted = {
        "question": chosen.question,
        "s1_choice": chosen.s1_choice,
        "s2_choice": chosen.s2_choice,
        "credits": chosen.credits,
    }
    lines = (text if text.endswith("\n") else f"{text}\n").splitlines(keepends=True)
    begin = next((n for n, line in enumerate(lines) if _ACUTE.match(line)), None)
    if begin is None:
        added = "".join(f"{key} = {_text(value)}\n" for key, value in wanted.items() if value is not None)
        return f"{''.join(lines)}\n[acute]\n{added}"
    close = next((n for n in range(begin + 1, len(lines)) if _HEADER.match(lines[n])), len(lines))
    table = lines[begin + 1 : close]
    place = 0
    for key, value in wanted.items():
        place = _set(table, key, value, place)
    return "".join((*lines[: begin + 1], *table, *lines[close:]))


_ACUTE = re.compile(r"\s*\[\s*acute\s*\]\s*(#.*)?$")
_HEADER = re.compile(r"\s*\[")
_VALUE = r"""("(?:[^"\\]|\\.)*"|'[^']*')"""


def _set(table: list[str], key: str, value: str | None, place: int) -> int:
    """Set a key of a table, or take it out; gives the place behind it, where the next may stand."""
    number = next((n for n, line in enumerate(table) if re.match(rf"\s*{key}\s*=", line)), None)
    if number is None:
        if value is None:
            return place
        ending = "\r\n" if table and table[0].endswith("\r\n") else "\n"
        table.insert(place, f"{key} = {_text(value)}{ending}")
        return place + 1
    found = re.fullmatch(rf"(\s*{key}\s*=\s*){_VALUE}(\s*(?:#[^\n]*)?\n?)", table[number])
    if found is None:
        raise DesignError(f"{key} in [acute] is not a text on one line; write the new one there by hand.")
    if value is None:
        del table[number]
        return min(place, number) if number < place else place
    table[number] = f"{found[1]}{_text(value)}{found[3]}"
    return number + 1


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _without_phrasings(text: str) -> str:
    """The file of a study of phrasings as one that compares bots: its arms are comments."""
    lines, is_arm = [], False
    for line in text.splitlines(keepends=True):
        if _HEADER.match(line):
            is_arm = re.match(r"\s*\[\[\s*acute\s*\.\s*questions\s*\]\]", line) is not None
        has_content = line.strip() and not line.lstrip().startswith("#")
        lines.append(f"# {line}" if is_arm and has_content else line)
    text = "".join(lines)
    text = re.sub(r"(?m)^(\s*compare\s*=\s*)([\"'])phrasings\2", r"\1\2bots\2", text)
    return re.sub(r"(?m)^(\s*per_annotator\s*=\s*)([\"'])one-per-factor\2", r"\1\2one\2", text)


def _check_written(path: Path, text: str, question: Question, chosen: NamedQuestionSettings) -> None:
    """Refuse a file that would not say what it should."""
    try:
        said = AcuteSettings.model_validate(tomllib.loads(text).get("acute", {}))
        asks = not said.questions and (said.resolved().text, said.resolved().choices) == (
            question.text,
            question.choices,
        )
    except ValueError:  # of TOML, and of the settings
        asks = False
    if not asks:
        raise DesignError(
            f"{path}: it is laid out in a way that cannot be changed safely. Write it by hand into [acute]: "
            f"question = {_text(chosen.question)}."
        )
