import hashlib
import json
from dataclasses import replace

from hypothesis import given

from duologue.dialogues import Dialogue, Turn
from tests.strategies import dialogues, without_deadline


def plain_content_hash(dialogue: Dialogue) -> str:
    """The twin of the hash that the library writes by hand."""
    content = {
        "bot": dialogue.bot,
        "kind": dialogue.kind,
        "judged": dialogue.judged,
        "speakers": [[speaker.name, speaker.bot] for speaker in dialogue.speakers],
        "turns": [[turn.speaker, turn.text, turn.image] for turn in dialogue.turns],
        "context": list(dialogue.context),
    }
    canonical = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


@given(dialogue=dialogues())
@without_deadline
def test_content_hash_is_the_hash_of_the_canonical_json(dialogue: Dialogue) -> None:
    assert dialogue.content_hash == plain_content_hash(dialogue)


def test_content_hash_knows_what_is_said_and_not_how_it_is_called(tea: Dialogue) -> None:
    assert replace(tea, id="other", extras={"n": 1}).content_hash == tea.content_hash
    assert replace(tea, turns=(*tea.turns, Turn("B", "Milk?"))).content_hash != tea.content_hash
