"""``[[bots]]`` that answer with a model of ours: a reply out of a corpus, or one written word by word."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, field_validator

from duologue.bots.settings import AnsweringSettings, Positive, Seconds, Share, Text

if TYPE_CHECKING:
    from duologue.bots.answering import Backend


class RetrievalBot(AnsweringSettings):
    """``kind = "retrieval"``: answers with the reply of a corpus that a model finds best."""

    kind: Literal["retrieval"] = "retrieval"
    model: Text = "tf-idf"
    """``tf-idf``, ``bm25``, ``embedding``, ``random``, or the folder of a trained model."""
    corpus: Annotated[tuple[Text, ...], Field(min_length=1)]
    """Files of dialogues in any known format; every turn but the first of a dialogue can be a reply."""
    vectors: str = ""
    """Word vectors, for ``embedding``."""
    never: tuple[Text, ...] = ()
    """Replies that are never given; letter case, punctuation and blanks make no difference."""
    never_patterns: tuple[Text, ...] = ()
    """Regular expressions; a reply in which one is found is never given. Letter case makes no difference."""
    never_file: str = ""
    """More of ``never``, one a line."""
    may_repeat: bool = False
    """Whether it may say what it has said in the same dialogue."""
    max_concurrent: Positive = 1

    @field_validator("corpus", mode="before")
    @classmethod
    def _one_or_several(cls, corpus: object) -> object:
        return (corpus,) if isinstance(corpus, str) else corpus

    @field_validator("never_patterns")
    @classmethod
    def _are_patterns(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is no regular expression: {error}") from None
        return patterns

    def backend(self, folder: Path, *, is_live: bool) -> Backend:
        """Imported when it is opened."""
        from duologue.bots.kinds.retrieval import RetrievalBackend

        return RetrievalBackend(self, folder=folder)


class TrainedBot(AnsweringSettings):
    """``kind = "trained"``: a model that was trained here and writes (extra ``neural``)."""

    kind: Literal["trained"] = "trained"
    model: Text
    """The folder of the model."""
    max_words: Positive = 40
    temperature: Annotated[float, Field(ge=0)] = 1.0
    """0 takes the likeliest word at every step."""
    top_p: Share = 0.9
    device: str = "cpu"
    timeout_seconds: Seconds = 300.0
    max_concurrent: Positive = 1

    def backend(self, folder: Path, *, is_live: bool) -> Backend:
        """Imported when it is opened."""
        from duologue.bots.kinds.trained import TrainedBackend

        return TrainedBackend(self, folder=folder)
