"""Submitted forms: a field may have several values, as checkboxes of one name do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from duologue.errors import AnswerError

FieldValue = str | Sequence[str]
"""One value of a field, or all of several."""


class FormValues(Mapping[str, str]):
    """The fields of a form as they were sent. ``form[name]`` is the last value, `every` gives them all.

    Example:
        >>> form = FormValues.of_pairs([("chosen", "1"), ("chosen", "3"), ("key", "k")])
        >>> form["key"], form["chosen"], form.every("chosen"), form.every("reason")
        ('k', '3', ('1', '3'), ())
    """

    __slots__ = ("_fields",)

    def __init__(self, fields: Mapping[str, FieldValue] | None = None) -> None:
        """Take over fields; one without any value is left out."""
        if isinstance(fields, FormValues):
            self._fields: dict[str, tuple[str, ...]] = dict(fields._fields)
        elif fields:
            all_values = {name: _every(value) for name, value in fields.items()}
            self._fields = {name: values for name, values in all_values.items() if values}
        else:
            self._fields = {}

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[str, str]]) -> FormValues:
        """A form from its names and values, in the order they were sent."""
        fields: dict[str, tuple[str, ...]] = {}
        for name, value in pairs:
            fields[name] = (*fields.get(name, ()), value)
        return cls._of(fields)

    @classmethod
    def _of(cls, fields: dict[str, tuple[str, ...]]) -> FormValues:
        made = cls()
        made._fields = fields
        return made

    def every(self, name: str) -> tuple[str, ...]:
        """All values of a field, in the order they were sent; none when it was not sent."""
        return self._fields.get(name, ())

    def one(self, name: str) -> str:
        """The value of a field that has one; empty when it was not sent.

        Raises:
            AnswerError: It was sent with several: which of them was meant cannot be known.

        Example:
            >>> FormValues({"best": "2"}).one("best"), FormValues({"best": ["2", "2"]}).one("best")
            ('2', '2')
        """
        values = set(self.every(name))
        if len(values) > 1:
            raise AnswerError("Please give one answer to each question.", field=name)
        return next(iter(values), "")

    def over(self, earlier: Mapping[str, FieldValue]) -> FormValues:
        """These fields, and of those that were not sent the earlier ones.

        Example:
            >>> dict(FormValues({"b": "2"}).over({"a": ["0", "1"], "b": "1"}).record())
            {'a': ['0', '1'], 'b': '2'}
        """
        before = earlier if isinstance(earlier, FormValues) else FormValues(earlier)
        if not (self._fields and before._fields):
            return self if self._fields else before
        return FormValues._of({**before._fields, **self._fields})

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names and values, one pair for each value: as a form is sent."""
        return tuple((name, value) for name, values in self._fields.items() for value in values)

    def record(self) -> dict[str, str | list[str]]:
        """The fields as JSON: one value as a string, several as a list."""
        return {
            name: values[0] if len(values) == 1 else list(values) for name, values in self._fields.items()
        }

    def __getitem__(self, name: str) -> str:
        return self._fields[name][-1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __eq__(self, other: object) -> bool:
        """Whether the same values were sent, or the mapping has the same as `record`."""
        if isinstance(other, FormValues):
            return self._fields == other._fields
        return self.record() == other if isinstance(other, Mapping) else NotImplemented

    def __repr__(self) -> str:
        return f"FormValues({self.record()!r})"


def _every(value: FieldValue) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
