"""What a dialogue is: speakers, their turns, and whose turns are judged."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from json.encoder import encode_basestring as _quoted
from typing import Literal, get_args

Json = object
"""Anything that came out of, or can go into, a JSON file."""

DialogueKind = Literal["live-chat", "self-chat", "human-human"]
"""A human with a bot, a bot with itself (or with another bot), two humans."""

DIALOGUE_KINDS: tuple[DialogueKind, ...] = get_args(DialogueKind)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who talks in a dialogue; ``bot`` names the bot under evaluation, if this speaker is one."""

    name: str
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance, exactly as it was written."""

    speaker: str
    text: str
    image: str | None = None
    extras: Mapping[str, Json] = field(default_factory=dict)


CUT = "cut"
"""The extra field of a turn that says a bot was stopped at its limit of tokens before it had finished."""


def is_cut(turn: Turn) -> bool:
    """Whether a turn was cut at the bot's limit of tokens, as far as the bot could tell.

    Example:
        >>> is_cut(Turn("A", "And then I", extras={"cut": True})), is_cut(Turn("A", "Bye."))
        (True, False)
    """
    meta = turn.extras.get("meta")  # live chats keep what the bot said about its reply
    return turn.extras.get(CUT) is True or (isinstance(meta, Mapping) and meta.get("finish") == "length")


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation, the bot it belongs to, and which of its speakers is judged.

    ``extras`` holds fields of the source file that Duologue does not use, so that nothing is lost.
    """

    id: str
    bot: str
    kind: DialogueKind
    judged: str
    speakers: tuple[Speaker, ...]
    turns: tuple[Turn, ...]
    context: tuple[str, ...] = ()
    extras: Mapping[str, Json] = field(default_factory=dict)

    @property
    def content_hash(self) -> str:
        """A name for what is said and by whom: the same dialogue imported twice has the same hash."""
        # The JSON of these fields without spaces, written by hand: an import hashes every dialogue.
        speakers = ",".join([f"[{_quoted(one.name)},{_or_null(one.bot)}]" for one in self.speakers])
        turns = ",".join(
            [f"[{_quoted(turn.speaker)},{_quoted(turn.text)},{_or_null(turn.image)}]" for turn in self.turns]
        )
        canonical = (
            f'{{"bot":{_quoted(self.bot)},"kind":{_quoted(self.kind)},"judged":{_quoted(self.judged)},'
            f'"speakers":[{speakers}],"turns":[{turns}],"context":[{",".join(map(_quoted, self.context))}]}}'
        )
        return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


BOT_OF_TURN = "bot"
"""The extra field of a turn in a chat of several bots that says which of them answered."""


def bot_of_turn(turn: Turn, dialogue: Dialogue) -> str:
    """Whose turn it is; in a chat of several bots, which is called by its arm, the turns say it."""
    bot = turn.extras.get(BOT_OF_TURN)
    return bot if isinstance(bot, str) else dialogue.bot


def speaking_bots(dialogue: Dialogue) -> tuple[str, ...]:
    """The bots that speak in a dialogue: several in a chat with several, otherwise the one it is called by.

    Example:
        >>> turns = (Turn("A", "Hi!"), Turn("B", "Hello.", extras={"bot": "ada"}))
        >>> speaking_bots(Dialogue("d1", "main", "live-chat", "B", (Speaker("A"), Speaker("B")), turns))
        ('ada',)
    """
    several = {bot for turn in dialogue.turns if isinstance(bot := turn.extras.get(BOT_OF_TURN), str)}
    return tuple(sorted(several)) or (dialogue.bot,)


def _or_null(text: str | None) -> str:
    return "null" if text is None else _quoted(text)
