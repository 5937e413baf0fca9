"""Reading predictions (JSON lines) and test sets (JSON lines, or dialogues in any known format)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from duologue.dialogues import Dialogue, Json, detect_format, read_dialogues
from duologue.errors import FormatError, NewerFormat, UnreadableFile
from duologue.metrics.predictions.perplexity import split_words
from duologue.metrics.predictions.records import PREDICTIONS_FORMAT, HeldOutExample, Prediction, Predictions
from duologue.strict_json import read_json

PARTNERS = "partner's persona:"
PERSONA = "your persona:"
_FIELDS = {
    *("format", "bot", "id", "dialogue", "context", "persona", "reference", "references", "prediction"),
    *("candidates", "scores", "parrot", "token_logprobs", "word_probabilities", "failure"),
}


def read_predictions(
    path: Path | str,
    *,
    test_set: Path | str | None = None,
    examples: Sequence[HeldOutExample] | None = None,
    bot: str | None = None,
) -> Predictions:
    """Read what a bot answered: one JSON object a line (docs/metrics.md has the fields).

    Args:
        path: The file.
        test_set: The examples, where the file has no references: matched by ``id``, or line by line.
        examples: The same, where they were read already.
        bot: The bot's name, where the file does not say; the file's own name by default.

    Raises:
        FormatError: A line is not what it should be, or does not fit the test set.
        UnreadableFile: The file cannot be opened.
    """
    path = Path(path)
    header, lines = _rows(path)
    read = [(_Line(path, number, row, place), row) for place, (number, row) in enumerate(lines, 1)]
    if not read:
        raise FormatError(path, expected="at least one prediction", got="none")
    answers = [line.prediction() for line, _ in read]
    named = bot or header.get("bot") or path.stem
    warnings: tuple[str, ...] = ()
    known = read_test_set(test_set) if test_set is not None else tuple(examples or ())
    if known:
        answers = _matched(path, [line for line, _ in read], answers, known)
        name = Path(test_set or path).name
    else:
        known = _each_once([line for line, _ in read])
        for (line, _), one, answer in zip(read, known, answers, strict=True):
            line.check_words(one, answer)
            if not one.references and answer.failure is None:
                hint = "Give the file with the references as --test."
                raise line.error("references", "at least one reference", hint=hint)
        name = path.name
        if not any("dialogue" in row for _, row in read):
            warnings = (
                "No line says which dialogue it is from: every example counts as a dialogue of its own, and "
                "intervals may be too narrow.",
            )
    return Predictions(str(named), known, tuple(answers), name, warnings)


def read_test_set(path: Path | str) -> tuple[HeldOutExample, ...]:
    """The examples of a test set: JSON lines of examples, or every reply of dialogues in a known format.

    In dialogues the replies are those of the judged speaker; persona lines of the partner are left out, and
    turns of one speaker in a row count as one. Candidates are taken from ConvAI2 files that have them.

    Raises:
        InputError: The file cannot be used.
    """
    path = Path(path)
    if _is_examples(path):
        _, lines = _rows(path)
        examples = _each_once(_Line(path, number, row, place) for place, (number, row) in enumerate(lines, 1))
    else:
        format = detect_format(path)
        bot = None if format == "duologue" else "human"
        found = read_dialogues(path, format=format, bot=bot, max_turn_chars=2**63)
        examples = tuple(
            example for number, dialogue in enumerate(found, 1) for example in _examples(dialogue, number)
        )
    if not examples:
        raise FormatError(path, expected="at least one reply to be predicted", got="none")
    return examples


def _examples(dialogue: Dialogue, number: int) -> Iterator[HeldOutExample]:
    persona = tuple(
        line.removeprefix(PERSONA).strip() for line in dialogue.context if not line.startswith(PARTNERS)
    )
    merged: list[tuple[str, str, Json]] = []
    for turn in dialogue.turns:
        candidates = turn.extras.get("candidates")
        if merged and merged[-1][0] == turn.speaker:
            merged[-1] = (turn.speaker, f"{merged[-1][1]} {turn.text}", candidates)
        else:
            merged.append((turn.speaker, turn.text, candidates))
    replies = 0
    for place, (speaker, text, candidates) in enumerate(merged):
        if speaker == dialogue.judged:
            replies += 1
            yield HeldOutExample(
                f"{number}.{replies}",
                str(number),
                tuple(said for _, said, _ in merged[:place]),
                persona,
                (text,),
                tuple(map(str, candidates)) if isinstance(candidates, list) else (),
            )


def _is_examples(path: Path) -> bool:
    """Whether a file begins with a JSON line of ours."""
    for _, row in _first(path):
        return isinstance(row, dict) and (
            row.get("format") == PREDICTIONS_FORMAT
            or not row.keys().isdisjoint(("context", "reference", "references"))
        )
    return False


def _first(path: Path) -> Iterator[tuple[int, Json]]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            line = next((line for line in file if line.strip()), "")
    except OSError as error:
        raise UnreadableFile(path, (error.strerror or str(error)).lower()) from error
    except UnicodeDecodeError:
        return
    try:
        yield 1, read_json(line)
    except ValueError:
        return


def _rows(path: Path) -> tuple[dict[str, Json], list[tuple[int, dict[str, Json]]]]:
    """The header, if there is one, and the lines after it."""
    rows: list[tuple[int, dict[str, Json]]] = []
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, text in enumerate(file, 1):
                if text.strip():
                    rows.append((number, _row(path, number, text)))
    except OSError as error:
        raise UnreadableFile(path, (error.strerror or str(error)).lower()) from error
    except UnicodeDecodeError as error:
        raise FormatError(path, expected="text in UTF-8", hint="Save the file as UTF-8.") from error
    if rows and "format" in rows[0][1]:
        header = rows[0][1]
        name, _, version = str(header["format"]).partition("/")
        if name == PREDICTIONS_FORMAT.partition("/")[0] and version.isdecimal() and int(version) > 1:
            raise NewerFormat(path, str(header["format"]), PREDICTIONS_FORMAT)
        if header["format"] != PREDICTIONS_FORMAT:
            raise FormatError(path, line=rows[0][0], field="format", expected=PREDICTIONS_FORMAT)
        return header, rows[1:]
    return {}, rows


def _row(path: Path, number: int, text: str) -> dict[str, Json]:
    try:
        row = read_json(text)
    except ValueError as error:
        raise FormatError(path, line=number, expected="a JSON object", got="something else") from error
    if not isinstance(row, dict):
        raise FormatError(path, line=number, expected="a JSON object", got="something else")
    if unknown := sorted(set(row) - _FIELDS):
        hint = f"Known are {', '.join(sorted(_FIELDS))}."
        raise FormatError(path, line=number, field=unknown[0], expected="no such field", hint=hint)
    return row


def _each_once(lines: Iterable[_Line]) -> tuple[HeldOutExample, ...]:
    """The example of every line; an id stands for one of them only."""
    found: dict[str, HeldOutExample] = {}
    for line in lines:
        example = line.example()
        if example.id in found:
            raise line.error("id", "each id once", got=f"{example.id!r} again")
        found[example.id] = example
    return tuple(found.values())


def _matched(
    path: Path, lines: Sequence[_Line], answers: list[Prediction], examples: tuple[HeldOutExample, ...]
) -> list[Prediction]:
    """Answers in the order of the test set; an example without one counts as failed."""
    ids = [line.row.get("id") for line in lines]
    if all(one is None for one in ids):
        if len(lines) != len(examples):
            got = f"{len(lines):,} lines without an id"
            raise FormatError(path, expected=f"{len(examples):,} predictions, one for each example", got=got)
        for line, example, answer in zip(lines, examples, answers, strict=True):
            line.check_words(example, answer)
        return answers
    known = {example.id: example for example in examples}
    by_id: dict[str, Prediction] = {}
    for line, one, answer in zip(lines, ids, answers, strict=True):
        if str(one) not in known:
            raise line.error("id", "an id of the test set", got=repr(one))
        if str(one) in by_id:
            raise line.error("id", "each id once", got=f"{one!r} again")
        line.check_words(known[str(one)], answer)
        by_id[str(one)] = answer
    missing = Prediction(failure="there is no prediction for it")
    return [by_id.get(example.id, missing) for example in examples]


class _Line:
    """One line of a file, read field by field."""

    def __init__(self, path: Path, number: int, row: dict[str, Json], place: int) -> None:
        self.path, self.number, self.row = path, number, row
        self.place = place
        """Among the examples, from 1: a file with a header and one without give the same names."""

    def error(
        self, field: str, expected: str, *, got: str | None = None, hint: str | None = None
    ) -> FormatError:
        return FormatError(self.path, line=self.number, field=field, expected=expected, got=got, hint=hint)

    def example(self) -> HeldOutExample:
        references = self._texts("references") or self._texts("reference")
        key = str(self.row.get("id", self.place))
        return HeldOutExample(
            key,
            str(self.row.get("dialogue", key)),
            self._texts("context"),
            self._texts("persona"),
            references,
            self._texts("candidates"),
        )

    def prediction(self) -> Prediction:
        text = self.row.get("prediction")
        if text is not None and not isinstance(text, str):
            raise self.error("prediction", "a text")
        failure = self.row.get("failure")
        if failure is not None and not isinstance(failure, str):
            raise self.error("failure", "a text that says what went wrong")
        candidates = self._texts("candidates")
        scores = self._numbers("scores")
        if scores is not None and len(scores) != len(candidates):
            raise self.error(
                "scores", f"{len(candidates)} scores, one for each candidate", got=str(len(scores))
            )
        answer = Prediction(text, candidates, scores, self._parrot(len(candidates)), failure=failure)
        logs = self._numbers("token_logprobs")
        if logs is not None and any(one > 0 for one in logs):
            raise self.error("token_logprobs", "natural logarithms of probabilities, at most 0")
        shares = self._shares()
        if failure is None and text is None and not candidates and logs is None and shares is None:
            expected = "a prediction, candidates, token_logprobs, word_probabilities or a failure"
            raise FormatError(self.path, line=self.number, expected=expected, got="none of them")
        return replace(answer, token_logprobs=logs, word_probabilities=shares)

    def check_words(self, example: HeldOutExample, answer: Prediction) -> None:
        """Refuse probabilities that are not one for each word of the first reference."""
        shares = answer.word_probabilities
        if shares is not None and example.references:
            words = len(split_words(example.references[0]))
            if len(shares) != words:
                expected = f"{words} probabilities, one for each word of the first reference"
                raise self.error("word_probabilities", expected, got=str(len(shares)))

    def _parrot(self, candidates: int) -> int | None:
        place = self.row.get("parrot")
        if place is None:
            return None
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < candidates:
            raise self.error("parrot", "the place of a candidate, counted from 0")
        return place

    def _texts(self, field: str) -> tuple[str, ...]:
        value = self.row.get(field)
        if isinstance(value, str):
            return (value,)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.error(field, "a list of texts")
        return tuple(value)

    def _numbers(self, field: str) -> tuple[float, ...] | None:
        value = self.row.get(field)
        if value is None:
            return None
        if not isinstance(value, list) or not all(_is_number(one) for one in value):
            raise self.error(field, "a list of finite numbers")
        return tuple(float(one) for one in value)

    def _shares(self) -> tuple[float | None, ...] | None:
        value = self.row.get("word_probabilities")
        if value is None:
            return None
        fits = isinstance(value, list) and all(
            one is None or (_is_number(one) and 0 < one <= 1) for one in value
        )
        if not fits or not isinstance(value, list):
            expected = (
                "a list of probabilities above 0 and up to 1, with null for words outside the dictionary"
            )
            raise self.error("word_probabilities", expected)
        return tuple(None if one is None else float(one) for one in value)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
