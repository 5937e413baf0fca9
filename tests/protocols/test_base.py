"""What a protocol need not say of itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel

from duologue.dialogues import Dialogue, Json, Speaker, Turn
from duologue.judgments import Judgment
from duologue.protocols import (
    Answer,
    Arm,
    AskedItem,
    ChatSettings,
    Item,
    KeptCounts,
    Material,
    StudyProtocol,
    VerdictRules,
    View,
)


class Bare(BaseModel):
    """Settings, one of them as it is by default."""

    shown: int = 1
    colour: str = "red"


class BareProtocol(StudyProtocol[Bare]):
    """Says no more than it must."""

    name: ClassVar[str] = "bare"
    settings_model: ClassVar[type[BaseModel]] = Bare
    template: ClassVar[str] = ""
    next_steps: ClassVar[tuple[str, ...]] = ()
    parts: ClassVar[Mapping[str, str]] = {}

    def arms(self) -> tuple[Arm, ...]:
        return (Arm("main", "Which?"),)

    def items_file(self) -> str:
        return "items.jsonl"

    def annotations_per_item(self) -> int:
        return 1

    def rules(self, *, stopping: str) -> VerdictRules:
        return VerdictRules("a test", "all", asks_for_reasons=False)

    def show(self, asked: AskedItem) -> View:
        return View("bare.html", {})

    def read(self, asked: AskedItem, form: Mapping[str, str]) -> Answer:
        return Answer({})

    def as_row(self, item: Item, judgment: Judgment) -> Mapping[str, Json]:
        return {}


BARE = BareProtocol(Bare(colour="blue"))
ASKED = AskedItem("main", Item("i", "g", (), (), ()))


def test_a_group_is_called_by_its_name_and_nobody_wins_unless_the_protocol_says_so() -> None:
    assert BARE.say_group("ada__vs__bea") == "ada__vs__bea"
    assert BARE.rivals("ada__vs__bea") is None
    assert BARE.win({"winner": "ada"}) is None


def test_settings_as_they_are_by_default_do_not_count() -> None:
    assert BARE.settings_that_count() == {"colour": "blue"}


def test_what_a_protocol_leaves_open_has_an_answer() -> None:
    assert BARE.max_per_group(ChatSettings()) is None
    assert BARE.draw(Material((), lambda: (), (), ChatSettings(), 0)) is None
    assert BARE.is_correct(ASKED, Answer({})) is None
    assert BARE.points_given(Answer({})) == {}
    assert BARE.screen(ASKED, Answer({})) == {}
    given = Judgment("j", "a", "ann", "lab", "main", "i", "g", {}, (), "", 1.0, "wall", "", 1, "judged", None)
    assert BARE.same_answer(ASKED.item, given, given) is None
    assert BARE.different_answers() is None
    kept = KeptCounts((), (), {}, 0.05, 0.2, 1, (), (), (), (), 1)
    assert BARE.anytime(kept) == {}


def test_the_pages_of_a_protocol_are_beside_it() -> None:
    assert BareProtocol.templates() == Path(__file__).parent / "templates"
    assert BareProtocol.static_files() == Path(__file__).parent / "static"


def test_a_protocol_that_says_nothing_shows_its_dialogues_and_has_no_positions() -> None:
    dialogue = Dialogue("d", "ada", "self-chat", "she", (Speaker("she", "ada"),), (Turn("she", "Tea?"),))
    asked = AskedItem("main", Item("i", "ada", ("ada",), ("d",), ("she",)), dialogues=(dialogue,))
    protocol = BareProtocol(Bare())
    assert list(protocol.texts_shown(asked)) == ["Tea?"]
    assert protocol.position_chosen(Answer({})) is None


def test_a_protocol_that_says_nothing_is_not_introduced_as_a_comparison() -> None:
    words = " ".join((StudyProtocol.wording["instructions"], *map(str, StudyProtocol.heading.values())))
    assert "compar" not in words
    assert "better" not in words
    assert "side by side" not in words
