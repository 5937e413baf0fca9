"""What gives a bot away besides its name: tokens of its model or its chat template left in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from duologue.dialogues.records import Dialogue

_TOKENS = re.compile(
    r"</?(?:s|pad|unk|eos|bos|sep|cls|mask|end|eot|eod|start_of_turn|end_of_turn|think|br|endoftext)>"
    r"|<\|[^|<>\n]{1,40}\|>"
    r"|<<?/?(?:SYS|[A-Z][A-Z0-9]*_[A-Z0-9_]+)>?>"
    r"|\[/?(?:INST|SYS|PAD|UNK|CLS|SEP|MASK|EOS|BOS|eos|pad|unk|sep)\]"
    r"|__(?:SILENCE|null|unk|start|end)__"
    r"|^(?:### ?)?(?:Assistant|Response|Human|User|System|Instruction) ?:",
    re.MULTILINE,
)
"""Special tokens of tokenisers, marks of chat templates, and placeholders in capitals with an underscore."""


@dataclass(frozen=True, slots=True)
class Debris:
    """A token that stands in the dialogues of one bot.

    ``example`` is the id of the first such dialogue, ``turn`` the number of the turn in it, counted from 1.
    """

    bot: str
    token: str
    turns: int
    example: str
    turn: int

    def __str__(self) -> str:
        """Say it to the researcher."""
        turns = f"{self.turns:,} turn{'' if self.turns == 1 else 's'}"
        return (
            f"{self.token!r} stands in {turns} of bot {self.bot!r} (first: {self.example!r}, "
            f"turn {self.turn}): it may give the bot away."
        )


class DebrisTally:
    """Tokens found so far in the turns of judged speakers."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Debris] = {}

    def look(self, dialogue: Dialogue) -> None:
        """Look through one dialogue."""
        for number, turn in enumerate(dialogue.turns, 1):
            if turn.speaker == dialogue.judged:
                for token in _tokens_in(turn.text):
                    key = dialogue.bot, token
                    before = self._found.get(key) or Debris(*key, 0, dialogue.id, number)
                    self._found[key] = replace(before, turns=before.turns + 1)

    def found(self) -> tuple[Debris, ...]:
        """Every token of every bot, the most frequent first."""
        return tuple(sorted(self._found.values(), key=lambda one: (one.bot, -one.turns, one.token)))


def _tokens_in(text: str) -> Iterator[str]:
    return iter(dict.fromkeys(match[0] for match in _TOKENS.finditer(text)))
