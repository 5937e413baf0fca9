"""Debris in dialogues: tokens that give a bot away."""

import pytest

from duologue.dialogues import Dialogue, Speaker, Turn, check_dialogues


def dialogue(text: str, *, bot: str = "mint", judged: str = "A", key: str = "d1") -> Dialogue:
    speakers = (Speaker("A"), Speaker("B"))
    return Dialogue(key, bot, "live-chat", judged, speakers, (Turn("B", "Hi <pad>"), Turn("A", text)))


@pytest.mark.parametrize(
    "token",
    [
        *("<pad>", "</s>", "<s>", "<unk>", "<|im_end|>", "<|endoftext|>", "[INST]", "[/INST]", "<<SYS>>"),
        *("<end_of_turn>", "[SEP]", "__SILENCE__", "<REDACTED_TERM>", "### Response:", "Assistant:"),
    ],
)
def test_tokens_of_models_and_templates_are_noticed(token: str) -> None:
    (found,) = check_dialogues(
        [dialogue(f"{token} I like tea. {token}" if token[-1] != ":" else f"{token} Tea.")]
    ).debris
    assert (found.bot, found.token, found.turns, found.example, found.turn) == ("mint", token, 1, "d1", 2)


@pytest.mark.parametrize(
    "text", ["I <3 tea", "a < b > c", "[sic]", "well... [laughs]", "The assistant: a friend?"]
)
def test_ordinary_text_is_no_debris(text: str) -> None:
    assert check_dialogues([dialogue(text)]).debris == ()


def test_turns_are_counted_and_the_sentence_says_where() -> None:
    found = check_dialogues([dialogue("Tea</s>"), dialogue("More</s></s>", key="d2")]).debris
    assert str(found[0]).startswith("'</s>' stands in 2 turns of bot 'mint' (first: 'd1', turn 2)")
