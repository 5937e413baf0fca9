"""Hypothesis builds our records: dialogues and pairings, well and badly formed."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from duologue.dialogues import DIALOGUE_KINDS, Dialogue, Json, PairingLine, Speaker, Turn, dialogue_record

with_files = settings(
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
"""For properties that write files: a busy disk says nothing about them, and each example has its own file."""

without_deadline = settings(deadline=None)


def thorough(examples: int) -> settings:
    """So many examples in `make test`, ten times more in `make test-slow`."""
    is_random = settings.get_current_profile_name() == "random"
    return settings(max_examples=10 * examples if is_random else examples)


TINY_IMAGE = "data:image/gif;base64,R0lGODlhAQABAAAAACw="

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=40).filter(
    lambda text: not text.isspace()
)
"""Anything a person or a bot may say: any script, line ends of every kind, control characters."""

names = st.sampled_from(["ada", "Bo", "c-3", "человек", "a b", 'q"uote', "back\\slash", "x\u2028y"])

json_values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)

_ODD: tuple[dict[str, Json], ...] = (
    {},
    {"mood": "good"},
    {"text": "raw", "speaker": None, "image": [1]},
    {"extras": {"extras": 10**30}},
    {"id": 7, "content": 1.5, "role": "x", "from": True},
    {"дом": ["é\u2028", {"": {}}], "value": "\ud800"},
)
extras: st.SearchStrategy[dict[str, Json]] = st.sampled_from(_ODD)
"""Fields we do not use, some of which bear the names of fields that we do."""


@st.composite
def turns(draw: st.DrawFn, speaker: str, *, with_extras: bool = True) -> Turn:
    """A turn of a given speaker, sometimes with an image."""
    image = draw(st.sampled_from([None, None, TINY_IMAGE]))
    text = draw(texts if image is None else texts | st.just(""))
    return Turn(speaker, text, image, draw(extras) if with_extras else {})


@st.composite
def dialogues(
    draw: st.DrawFn,
    *,
    alternating: bool = False,
    with_extras: bool = True,
    bot: str | None = None,
    max_speakers: int = 3,
) -> Dialogue:
    """A dialogue that can be shown and judged."""
    most = 2 if alternating else max_speakers
    cast = draw(st.lists(names, min_size=2, max_size=most, unique=True))
    judged = draw(st.sampled_from(cast))
    kind = draw(st.sampled_from(DIALOGUE_KINDS))
    bot = bot or draw(names)
    if alternating:
        first, length = draw(st.integers(0, 1)), draw(st.integers(2, 6))
        order = [cast[(first + number) % 2] for number in range(length)]
    else:
        order = draw(st.lists(st.sampled_from(cast), max_size=6).map(lambda rest: [judged, *rest]))
    return Dialogue(
        id=draw(texts),
        bot=bot,
        kind=kind,
        judged=judged,
        speakers=tuple(
            Speaker(name, bot if name == judged or kind == "self-chat" else None) for name in cast
        ),
        turns=tuple(draw(turns(name, with_extras=with_extras)) for name in order),
        context=tuple(draw(st.lists(texts, max_size=2))),
        extras=draw(extras) if with_extras else {},
    )


@st.composite
def pairing_lines(draw: st.DrawFn) -> PairingLine:
    """A line of an ACUTE pairings file, each judged speaker called by the bot's name."""
    first, second = (_as_published(draw(dialogues(alternating=True))) for _ in range(2))
    is_onboarding = draw(st.booleans()) and first.bot != second.bot
    return PairingLine(
        dialogues=(first, second),
        judged=(first.bot, second.bot),
        is_onboarding=is_onboarding,
        correct=draw(st.integers(0, 1)) if is_onboarding else None,
        dialogue_ids=draw(st.none() | st.tuples(json_values, json_values)),
        extras=draw(st.dictionaries(st.sampled_from(["tags", "note"]), json_values, max_size=2)),
    )


def _as_published(dialogue: Dialogue) -> Dialogue:
    """The same dialogue with the judged speaker called by the bot's name."""
    partner = next(speaker.name for speaker in dialogue.speakers if speaker.name != dialogue.judged)
    other = f"other than {dialogue.bot}" if partner == dialogue.bot else partner
    called = {dialogue.judged: dialogue.bot, partner: other}
    return replace(
        dialogue,
        kind="live-chat",
        judged=dialogue.bot,
        speakers=tuple(
            Speaker(called[speaker.name], dialogue.bot if called[speaker.name] == dialogue.bot else None)
            for speaker in dialogue.speakers
        ),
        turns=tuple(replace(turn, speaker=called[turn.speaker]) for turn in dialogue.turns),
    )


Spoil = Callable[[dict[str, Any]], None]


def _drop(key: str) -> Spoil:
    return lambda record: record.pop(key)


def _put(key: str, value: Json) -> Spoil:
    return lambda record: record.update({key: value})


def _put_in_turn(key: str, value: Json) -> Spoil:
    return lambda record: record["turns"][0].update({key: value})


def _add_speaker(speaker: Json) -> Spoil:
    return lambda record: record["speakers"].insert(0, speaker)


FAULTS: dict[str, tuple[Spoil, str]] = {
    "no format": (_drop("format"), "format"),
    "foreign format": (_put("format", "csv"), "format"),
    "no id": (_drop("id"), "id"),
    "id not a text": (_put("id", 7), "id"),
    "empty id": (_put("id", " "), "id"),
    "no bot": (_drop("bot"), "bot"),
    "empty bot": (_put("bot", ""), "bot"),
    "unknown kind": (_put("kind", "chat"), "kind"),
    "unknown judged speaker": (_put("judged", "nobody at all"), "judged"),
    "no speakers": (_drop("speakers"), "speakers"),
    "speakers not objects": (_put("speakers", ["ada"]), "speakers[0]"),
    "speaker without a name": (_put("speakers", [{"bot": None}]), "speakers[0].name"),
    "speaker with an empty name": (_add_speaker({"name": " "}), "speakers"),
    "speaker whose bot is a number": (_add_speaker({"name": "x", "bot": 1}), "speakers[0].bot"),
    "no turns": (_drop("turns"), "turns"),
    "turns empty": (_put("turns", []), "turns"),
    "turns an object": (_put("turns", {}), "turns"),
    "turn by a stranger": (_put_in_turn("speaker", "nobody at all"), "turns[0].text"),
    "turn without a speaker": (_put_in_turn("speaker", None), "turns[0].speaker"),
    "turn without text": (_put_in_turn("text", None), "turns[0].text"),
    "turn with a NUL": (_put_in_turn("text", "a\0b"), "turns[0].text"),
    "turn with half a pair": (_put_in_turn("text", "a\ud800b"), "turns[0].text"),
    "turn too long": (_put_in_turn("text", "x" * 100_001), "turns[0].text"),
    "image not a text": (_put_in_turn("image", 7), "turns[0].image"),
    "image elsewhere": (_put_in_turn("image", "https://example.org/cat.png"), "turns[0].text"),
    "extras a list": (_put("extras", []), "extras"),
    "context a text": (_put("context", "hello"), "context"),
}
"""What can be wrong with one line of our own format, and the field the message must name."""


@st.composite
def bad_lines(draw: st.DrawFn) -> tuple[str, str]:
    """A line of our own format with one fault, and the field that has it."""
    dialogue = draw(dialogues(with_extras=False))
    plain = replace(
        dialogue, turns=tuple(replace(turn, image=None, text=turn.text or "x") for turn in dialogue.turns)
    )
    record: dict[str, Any] = json.loads(json.dumps(dialogue_record(plain)))
    spoil, field = FAULTS[draw(st.sampled_from(sorted(FAULTS)))]
    spoil(record)
    return json.dumps(record), field
