"""Bots that are near-identical under two names."""

from duologue.dialogues import Dialogue, Speaker, Turn, check_dialogues


def dialogues(bot: str, *texts: str) -> list[Dialogue]:
    speakers = (Speaker("A"), Speaker("B"))
    turns = [(Turn("B", "Tell me about the weather, please."), Turn("A", text)) for text in texts]
    return [Dialogue(f"{bot}{n}", bot, "live-chat", "A", speakers, both) for n, both in enumerate(turns)]


SAID = [f"This is a long sentence, the {number}th of its kind." for number in range(10)]


def test_one_file_under_two_names_is_noticed() -> None:
    other = [SAID[0].upper(), *SAID[1:9], "Something else altogether was said here."]
    (found,) = check_dialogues([*dialogues("mint", *SAID), *dialogues("sage", *other)]).alike
    assert (found.first, found.second, found.shared, found.turns) == ("mint", "sage", 9, 10)
    assert "'mint' and 'sage' are near-identical: 9 of 10 different turns" in str(found)


def test_bots_that_share_a_phrase_are_not_alike() -> None:
    other = [*SAID[:5], *(text.replace("long", "very long") for text in SAID[5:])]
    assert check_dialogues([*dialogues("mint", *SAID), *dialogues("sage", *other)]).alike == ()


def test_short_turns_and_few_turns_say_nothing() -> None:
    assert check_dialogues([*dialogues("mint", *["Hi!"] * 9), *dialogues("sage", *["Hi!"] * 9)]).alike == ()
    assert check_dialogues([*dialogues("mint", *SAID[:4]), *dialogues("sage", *SAID[:4])]).alike == ()
