"""A dialogue is shown without names, with the judged speaker marked."""

from duologue.dialogues import Dialogue, Speaker, Turn
from duologue.protocols.pages.views import Option, Screen, dialogue_view


def test_only_turns_of_the_judged_speaker_are_marked() -> None:
    turns = (Turn("human", "Hi"), Turn("zzz", "Hello", "data:image/gif;base64,R0lGODlhAQABAAAAACw="))
    talk = Dialogue("d", "zzz", "live-chat", "zzz", (Speaker("human"), Speaker("zzz", "zzz")), turns)
    shown = dialogue_view(talk, judged="zzz", side=2)
    assert (shown.side, [turn.is_judged for turn in shown.turns]) == (2, [False, True])
    assert shown.turns[1].image is not None
    assert "zzz" not in repr(shown)


def test_a_screen_sends_what_its_page_would() -> None:
    screen = Screen(2, "rating_fun", "Fun?", (Option("1", "1 · No"),), "optional", can_go_back=True)
    assert screen.form("1", reason="so") == {"screen": "2", "rating_fun": "1", "reason": "so"}
