"""Hiding names in dialogues: a placeholder is shown in their place, and what was said is kept beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from duologue.dialogues.drafts import drafting
from duologue.dialogues.formats.duologue_jsonl import encode_line
from duologue.dialogues.names import name_pattern, uses_of_name
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
    examples: tuple[str, ...] = ()
    """The first turns with a placeholder, as they are shown."""
    ordinary: int = 0
    """Places where a bot's own name is an ordinary word; they are left as they are."""
    ordinary_example: str = ""


EXAMPLES = 5
"""How many turns are shown before names are hidden."""
_AROUND = 40
"""How many characters are shown on both sides of a name."""


def mask_names(
    dialogue: Dialogue, names: Iterable[str], *, placeholder: str = PLACEHOLDER, everywhere: bool = False
) -> Dialogue:
    """Return the dialogue with a placeholder wherever one of the names is used; itself if none is.

    Args:
        dialogue: What was said.
        names: The names to hide.
        placeholder: What is shown instead.
        everywhere: Hide them also where they are ordinary words.

    Example:
        >>> from duologue.dialogues import Speaker
        >>> hello = Dialogue("d1", "ada", "live-chat", "A", (Speaker("A"),), (Turn("A", "I am Ada."),))
        >>> mask_names(hello, ["ada"]).turns[0].text
        'I am [name hidden].'
        >>> unmasked(mask_names(hello, ["ada"])) == hello
        True
    """
    places = (lambda text, name: name_pattern(name).finditer(text)) if everywhere else uses_of_name
    found = [name for name in names if any(any(places(text, name)) for text in _texts(dialogue))]
    if not found:
        return dialogue

    def hidden(text: str) -> str:
        return _hide(text, dict.fromkeys(found, placeholder), places)

    return _hidden(dialogue, hidden, dict.fromkeys(found, placeholder))


def mask_again(dialogue: Dialogue, masked: Dialogue) -> Dialogue:
    """Return a dialogue with what is hidden in an older form of it, and the same names in what came since."""
    names = masked_names(masked)
    shown = dict(zip(_texts(unmasked(masked)), _texts(masked), strict=True))

    def hidden(text: str) -> str:
        return shown[text] if text in shown else _hide(text, names, uses_of_name)

    return _hidden(dialogue, hidden, names)


def _texts(dialogue: Dialogue) -> tuple[str, ...]:
    return (*dialogue.context, *(turn.text for turn in dialogue.turns))


def _hide(text: str, names: Mapping[str, str], places: Callable[[str, str], Iterator[re.Match[str]]]) -> str:
    for name, placeholder in names.items():
        for place in reversed([*places(text, name)]):
            text = f"{text[: place.start()]}{placeholder}{text[place.end() :]}"
    return text


def _hidden(dialogue: Dialogue, hidden: Callable[[str], str], names: Mapping[str, str]) -> Dialogue:
    extras = dict(dialogue.extras)
    extras[MASKED_NAMES] = {**masked_names(dialogue), **names}
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
    only_look: bool = False,
) -> MaskingResult:
    """Mask names in the dialogues of a study: all at once, or nothing.

    Args:
        folder: The study's folder.
        ids: Only these dialogues.
        bots: Only dialogues of these bots.
        names: The names to hide, wherever they occur. When not given, the names of the bots that speak in a
            dialogue, where they are used as names.
        placeholder: What is shown instead.
        shown: Dialogues that annotators have seen. They are left as they are, and listed.
        only_look: Change nothing, and return what would be done.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
        DesignError: The placeholder is empty, or holds a name that it should hide.
    """
    home = dialogues_folder(folder)
    by_bot: Counter[str] = Counter()
    turns, left, examples = 0, list[str](), list[str]()
    ordinary, ordinary_example = 0, ""
    with drafting(home) as draft:
        for path in dialogue_files(home):
            draft.begin(path.name)
            before = by_bot.total()
            for located in read_study_file(path):
                dialogue = located.dialogue
                if (not ids or dialogue.id in ids) and (not bots or dialogue.bot in bots):
                    hide = tuple(names) or speaking_bots(dialogue)
                    _check_placeholder(placeholder, hide)
                    after = mask_names(dialogue, hide, placeholder=placeholder, everywhere=bool(names))
                    for words in () if names else _ordinary(after, hide):
                        ordinary, ordinary_example = ordinary + 1, ordinary_example or words
                    if after is not dialogue and dialogue.id in shown:
                        left.append(dialogue.id)
                    elif after is not dialogue:
                        by_bot[dialogue.bot] += 1
                        pairs = zip(dialogue.turns, after.turns, strict=True)
                        changed = [new.text for old, new in pairs if old.text != new.text]
                        turns += len(changed)
                        examples += [_around(text, placeholder) for text in changed][
                            : EXAMPLES - len(examples)
                        ]
                        dialogue = after
                draft.add(path.name, encode_line(dialogue))
            if by_bot.total() == before:
                draft.forget(path.name)
        if not only_look:
            draft.commit()
    return MaskingResult(
        by_bot.total(), turns, dict(by_bot), tuple(left), tuple(examples), ordinary, ordinary_example
    )


def _ordinary(dialogue: Dialogue, names: Iterable[str]) -> Iterator[str]:
    """The places that are left where a name occurs, with the words around them."""
    for text in _texts(dialogue):
        for name in names:
            for found in name_pattern(name).finditer(text):
                yield _around(text, found[0])


def _around(text: str, words: str) -> str:
    """A text on one line, cut down to what stands around some words of it."""
    start = text.index(words)
    first, last = max(0, start - _AROUND), start + len(words) + _AROUND
    cut = " ".join(text[first:last].split())
    return f"{'…' if first else ''}{cut}{'…' if last < len(text) else ''}"


def _check_placeholder(placeholder: str, names: Iterable[str]) -> None:
    if not placeholder.strip():
        raise DesignError("the placeholder is empty: readers would not see that a name was hidden.")
    for name in names:
        if name_pattern(name).search(placeholder):
            raise DesignError(
                f"the placeholder {placeholder!r} holds the name {name!r} that it should hide. "
                "Give another one with --placeholder."
            )
