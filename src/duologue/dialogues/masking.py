"""Hiding names in dialogues: a placeholder is shown in their place, and what was said is kept beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from duologue.dialogues.drafts import drafting
from duologue.dialogues.formats.duologue_jsonl import encode_line
from duologue.dialogues.records import Dialogue, Json, Turn, speaking_bots
from duologue.dialogues.study_folder import dialogue_files, dialogues_folder, read_study_file
from duologue.errors import DesignError

PLACEHOLDER = "[name hidden]"
"""What is shown in the place of a name: it says itself that something was masked."""

MASKED_NAMES = "masked_names"
"""The extra field of a dialogue that says which names are masked in it, and by what."""
TEXT_AS_SAID = "text_as_said"
"""The extra field of a masked turn that keeps its text as it was."""
CONTEXT_AS_SAID = "context_as_said"
"""The extra field of a dialogue that keeps its context as it was."""


@dataclass(frozen=True, slots=True)
class MaskingResult:
    """What masking did; ``shown`` dialogues were not changed because annotators have seen them."""

    dialogues: int
    turns: int
    by_bot: Mapping[str, int]
    shown: tuple[str, ...] = ()


@cache
def name_pattern(name: str) -> re.Pattern[str]:
    """Match a name as whole words, in any letter case, however its parts are joined.

    A hyphen, an underscore, a blank or nothing may stand between the parts of a name, and between a word of
    it and the number that follows: ``gpt-4`` is found in GPT4, and ``gpt4`` in GPT-4.

    Example:
        >>> bool(name_pattern("ada").search("I am Ada.")), bool(name_pattern("ada").search("Canada"))
        (True, False)
        >>> [bool(name_pattern("gpt-4").search(text)) for text in ("GPT4", "gpt 4", "gpt_4", "gpt-40")]
        [True, True, True, False]
    """
    parts = [part for part in _BORDER.split(name) if part] or [name]
    return re.compile(rf"(?<!\w){_JOINED.join(map(re.escape, parts))}(?!\w)", re.IGNORECASE)


_JOINED = r"[-_\s\u2010-\u2013]?"
"""What may stand between two parts of a name: a hyphen of any kind, an underscore, a blank, or nothing."""
_BORDER = re.compile(rf"{_JOINED[:-1]}+|(?<=[^\W\d_]{{2}})(?=\d)")
"""Where a name has parts. One letter before a number is no word: ``b2`` is not "b 2"."""


def mask_names(dialogue: Dialogue, names: Iterable[str], *, placeholder: str = PLACEHOLDER) -> Dialogue:
    """Return the dialogue with a placeholder wherever one of the names occurs; itself if none does.

    Example:
        >>> from duologue.dialogues import Speaker
        >>> hello = Dialogue("d1", "ada", "live-chat", "A", (Speaker("A"),), (Turn("A", "I am Ada."),))
        >>> mask_names(hello, ["ada"]).turns[0].text
        'I am [name hidden].'
        >>> unmasked(mask_names(hello, ["ada"])) == hello
        True
    """
    found = [
        name
        for name in names
        if any(
            name_pattern(name).search(text) for text in (*dialogue.context, *(t.text for t in dialogue.turns))
        )
    ]
    if not found:
        return dialogue

    def hidden(text: str) -> str:
        for name in found:
            text = name_pattern(name).sub(lambda _: placeholder, text)
        return text

    extras = dict(dialogue.extras)
    extras[MASKED_NAMES] = {**masked_names(dialogue), **dict.fromkeys(found, placeholder)}
    context = tuple(map(hidden, dialogue.context))
    if context != dialogue.context:
        extras.setdefault(CONTEXT_AS_SAID, list(dialogue.context))
    turns = tuple(_masked(turn, hidden(turn.text)) for turn in dialogue.turns)
    return replace(dialogue, turns=turns, context=context, extras=extras)


def _masked(turn: Turn, text: str) -> Turn:
    if text == turn.text:
        return turn
    return replace(turn, text=text, extras={TEXT_AS_SAID: turn.text, **turn.extras})


def masked_names(dialogue: Dialogue) -> Mapping[str, str]:
    """Return the names that are masked in a dialogue, each with its placeholder."""
    names = dialogue.extras.get(MASKED_NAMES)
    return {str(name): str(by) for name, by in names.items()} if isinstance(names, Mapping) else {}


def unmasked(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue as it was before names were masked in it."""
    if MASKED_NAMES not in dialogue.extras:
        return dialogue
    extras = {
        key: value for key, value in dialogue.extras.items() if key not in (MASKED_NAMES, CONTEXT_AS_SAID)
    }
    context = dialogue.extras.get(CONTEXT_AS_SAID)
    return replace(
        dialogue,
        turns=tuple(map(_unmasked_turn, dialogue.turns)),
        context=tuple(map(str, context)) if isinstance(context, list | tuple) else dialogue.context,
        extras=extras,
    )


def _unmasked_turn(turn: Turn) -> Turn:
    said = turn.extras.get(TEXT_AS_SAID)
    if not isinstance(said, str):
        return turn
    rest: dict[str, Json] = {key: value for key, value in turn.extras.items() if key != TEXT_AS_SAID}
    return replace(turn, text=said, extras=rest)


def mask_dialogues(
    folder: Path | str,
    *,
    ids: Collection[str] = (),
    bots: Collection[str] = (),
    names: Collection[str] = (),
    placeholder: str = PLACEHOLDER,
    shown: Collection[str] = (),
) -> MaskingResult:
    """Mask names in the dialogues of a study: all at once, or nothing.

    Args:
        folder: The study's folder.
        ids: Only these dialogues.
        bots: Only dialogues of these bots.
        names: The names to hide; when not given, the names of the bots that speak in a dialogue.
        placeholder: What is shown instead.
        shown: Dialogues that annotators have seen. They are left as they are, and listed.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
        DesignError: The placeholder is empty, or holds a name that it should hide.
    """
    home = dialogues_folder(folder)
    by_bot: Counter[str] = Counter()
    turns, left = 0, []
    with drafting(home) as draft:
        for path in dialogue_files(home):
            draft.begin(path.name)
            before = by_bot.total()
            for located in read_study_file(path):
                dialogue = located.dialogue
                if (not ids or dialogue.id in ids) and (not bots or dialogue.bot in bots):
                    hide = tuple(names) or speaking_bots(dialogue)
                    _check_placeholder(placeholder, hide)
                    after = mask_names(dialogue, hide, placeholder=placeholder)
                    if after is not dialogue and dialogue.id in shown:
                        left.append(dialogue.id)
                    elif after is not dialogue:
                        by_bot[dialogue.bot] += 1
                        pairs = zip(dialogue.turns, after.turns, strict=True)
                        turns += sum(old.text != new.text for old, new in pairs)
                        dialogue = after
                draft.add(path.name, encode_line(dialogue))
            if by_bot.total() == before:
                draft.forget(path.name)
        draft.commit()
    return MaskingResult(by_bot.total(), turns, dict(by_bot), tuple(left))


def _check_placeholder(placeholder: str, names: Iterable[str]) -> None:
    if not placeholder.strip():
        raise DesignError("the placeholder is empty: readers would not see that a name was hidden.")
    for name in names:
        if name_pattern(name).search(placeholder):
            raise DesignError(
                f"the placeholder {placeholder!r} holds the name {name!r} that it should hide. "
                "Give another one with --placeholder."
            )
