"""How a dialogue is shown to an annotator, whatever is asked about it: its turns, and no names."""

from __future__ import annotations

from dataclasses import dataclass

from duologue.dialogues import Dialogue


@dataclass(frozen=True, slots=True)
class TurnView:
    """A turn as shown: its text, and whether the judged speaker said it."""

    text: str
    is_judged: bool
    image: str | None


@dataclass(frozen=True, slots=True)
class DialogueView:
    """A dialogue as shown, on side 1 or 2 where there are two, without names."""

    side: int
    turns: tuple[TurnView, ...]


def dialogue_view(dialogue: Dialogue, *, judged: str, side: int = 1) -> DialogueView:
    """The dialogue as it is shown, with the turns of the judged speaker marked.

    Example:
        >>> from duologue.dialogues import Speaker, Turn
        >>> talk = Dialogue("d", "ada", "live-chat", "ada", (Speaker("ada"),), (Turn("ada", "Hello!"),))
        >>> dialogue_view(talk, judged="ada").turns
        (TurnView(text='Hello!', is_judged=True, image=None),)
    """
    turns = [TurnView(turn.text, turn.speaker == judged, turn.image) for turn in dialogue.turns]
    return DialogueView(side, tuple(turns))


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to choose: what the form sends, and what stands on it."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class CardQuestion:
    """What is asked about the candidates of a turn, on the cards of the live chat's page."""

    text: str
    """The question over the cards."""
    label: str = ""
    """The choice on each card in a word or two, where there are further questions; a letter is before it."""
    field: str = "chosen"
    """The field of the form; of a further question, ``none`` among its values says that no card applies."""
    further: tuple[CardQuestion, ...] = ()
    """What else is asked about the same cards, each of which then has a choice for every question."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One question with answers to choose from, of one screen or several."""

    number: int
    field: str
    text: str
    options: tuple[Option, ...]
    reason: str
    """Whether a reason is asked for with it: ``off``, ``optional`` or ``required``."""
    can_go_back: bool

    def form(self, value: str, **more: str) -> dict[str, str]:
        """The form as the page would send it."""
        return {"screen": str(self.number), self.field: value, **more}
