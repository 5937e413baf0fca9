"""The kinds of bots there are: found by entry points, ours and those of others alike.

They are looked for when a study file is first read, and not when this package is imported: packages of others
import it themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Discriminator, Tag

from duologue.bots.settings import AnsweringSettings, LogsBot

GROUP = "duologue.bots"
"""The entry points by which a package says what kinds of bots it has: ours and those of others alike."""


def kinds_at(
    points: Iterable[EntryPoint],
) -> tuple[dict[str, type[LogsBot | AnsweringSettings]], dict[str, str]]:
    """The kinds of bots that entry points lead to, by name; and why some of them cannot be used."""
    found: dict[str, type[LogsBot | AnsweringSettings]] = {}
    broken: dict[str, str] = {}
    for point in sorted(points, key=lambda point: point.name):
        try:
            kind = point.load()
        except (ImportError, AttributeError) as error:
            broken[point.name] = f"cannot be loaded ({error})"
            continue
        if isinstance(kind, type) and issubclass(kind, LogsBot | AnsweringSettings):
            found[point.name] = kind
        else:
            broken[point.name] = f"is no AnsweringSettings ({point.value})"
    return found, broken


_FOUND, _BROKEN = kinds_at(entry_points(group=GROUP))

ANSWERING_KINDS = tuple(name for name, kind in _FOUND.items() if issubclass(kind, AnsweringSettings))
"""The kinds of bot that can be talked to."""


def _kind(value: object) -> object:
    return value.get("kind", "logs") if isinstance(value, dict) else getattr(value, "kind", "logs")


if TYPE_CHECKING:
    BotSettings = LogsBot | AnsweringSettings
else:
    BotSettings = Annotated[
        Union[tuple(Annotated[kind, Tag(name)] for name, kind in _FOUND.items())],  # noqa: UP007  made of what is found
        Discriminator(
            _kind,
            custom_error_type="unknown_kind",
            custom_error_message="; ".join(
                (
                    f"kind: the kinds of bots are: {', '.join(_FOUND)}",
                    *(f"{name} {why}" for name, why in _BROKEN.items()),
                )
            ),
        ),
    ]
"""One ``[[bots]]`` table; its ``kind`` decides which settings there are."""
