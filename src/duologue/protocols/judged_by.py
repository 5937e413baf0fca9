"""Sentences about who judged: models are never called people or annotators."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

Found = TypeVar("Found")

JUDGE = "judge"
FIRST_PARTY = "first-party"

_WORDS = {
    "annotators": "judges",
    "annotator": "judge",
    "people": "judges",
    "person": "judge",
    "human evaluation": "evaluation by judges",
    "person-hours": "hours",
    "person-minutes": "minutes",
    "person-seconds": "seconds",
}
_WORD = re.compile(
    rf"(?<![\w/.\"'-])(an )?(human )?({'|'.join(sorted(_WORDS, key=len, reverse=True))})(?![\w/-]|\.\w)",
    re.IGNORECASE,
)
_SENTENCES = re.compile(
    r"(\w+_)?sentences?|(\w+_)?warnings|why\w*|family|(\w+_)?notes?|\w*said\w*|methods?|left_out|work"
)
"""The fields of results, and what a page is given, that are sentences of ours: no name and no quotation."""


def say_of_judges(text: str) -> str:
    """A sentence about annotators, said of models. (A bot whose name is such a word is called so, too.)

    Example:
        >>> say_of_judges("One annotator gave 60 % of it. Annotators took 3 person-hours.")
        'One judge gave 60 % of it. Judges took 3 hours.'
        >>> say_of_judges("Where an annotator judged twice")
        'Where a judge judged twice'
        >>> say_of_judges("See annotators.csv.")
        'See annotators.csv.'
    """
    return _WORD.sub(_as_judge, text)


def _as_judge(found: re.Match[str]) -> str:
    word = ("a " if found[1] else "") + _WORDS[found[3].lower()]
    return word.capitalize() if found[0][0].isupper() else word


def told_of_judges(found: Found) -> Found:
    """Results, or what a page is given, with every sentence said of models; names and quotations stay."""
    return cast("Found", _told(found, is_sentence=False))


def _told(value: Any, *, is_sentence: bool) -> Any:
    if isinstance(value, str):
        return say_of_judges(value) if is_sentence else value
    if isinstance(value, tuple | list):
        return type(value)(_told(one, is_sentence=is_sentence) for one in value)
    if isinstance(value, Mapping):
        return {name: _told(one, is_sentence=_are_sentences(name)) for name, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        own = {one.name: getattr(value, one.name) for one in fields(value) if one.init}
        return replace(
            value, **{name: _told(one, is_sentence=_are_sentences(name)) for name, one in own.items()}
        )
    return value


def _are_sentences(name: object) -> bool:
    return isinstance(name, str) and _SENTENCES.fullmatch(name) is not None


def say_who_judged(judged_by: str) -> tuple[str, ...]:
    """What every reader must know first: that it was not other people who judged."""
    if judged_by == JUDGE:
        return ("Judged by models, not by people: what follows holds for these judges only.",)
    if judged_by == FIRST_PARTY:
        return ("Judged by those who had the chats.",)
    return ()
