from __future__ import annotations

from dataclasses import replace

from duologue.protocols import ChatSettings
from duologue.rehearsal.chat_checks import check_chats
from duologue.rehearsal.kinds import Kind, SimulatedAnnotator
from duologue.rehearsal.walk import Walk
from duologue.store import Chat, ChatSummary, ChatTurn, Flag
from duologue.studies import StudyRules

CAPS = StudyRules(
    arms=("main",),
    max_judgments=None,
    lease_seconds=1800,
    annotations_per_item=1,
    onboarding_comparisons=0,
    onboarding_threshold=1.0,
    block="soft",
    seed=1,
    chat=ChatSettings(chats_per_bot=2, min_exchanges=2, max_exchanges=3),
    max_per_group=1,
)


def summary(annotator: str, bot: str, *, exchanges: int = 2, flags: tuple[Flag, ...] = ()) -> ChatSummary:
    return ChatSummary(
        id=f"{annotator}-{bot}",
        annotator=annotator,
        annotator_kind="lab",
        bots=(bot,),
        group=bot,
        arm="main",
        state="ended",
        ending="complete",
        exchanges=exchanges,
        failures=(),
        flags=flags,
        began_at="2026-01-01T00:00:00+00:00",
        ended_at="2026-01-01T00:01:00+00:00",
        judgment=f"judgment of {annotator} on {bot}",
    )


def walk(annotator: str, *said: str, kind: Kind = "careful") -> Walk:
    return Walk(
        annotator=SimulatedAnnotator(0, kind, True, 7),
        id=annotator,
        saved=1,
        sent=1,
        ending="thanks",
        code="code",
        said={"k": said} if said else {},
        token=f"link of {annotator}",
    )


def chat(*texts: str) -> Chat:
    """A chat in which the annotator said these, each answered by the partner."""
    turns = [
        ChatTurn(2 * place + side + 1, side == 0, text if side == 0 else "Oh!", "2026-01-01T00:00:00+00:00")
        for place, text in enumerate(texts)
        for side in (0, 1)
    ]
    return Chat("ended", tuple(turns), len(texts), 9, "2026-01-01T00:00:00+00:00")


GOOD = [summary("x", "a"), summary("y", "a"), summary("x", "b")]


def broken(
    chats: list[ChatSummary],
    walks: list[Walk] | None = None,
    *,
    stored: Chat | None = None,
    caps: StudyRules = CAPS,
) -> list[str]:
    judged = {chat.judgment for chat in chats if chat.judgment and chat.ending == "complete"}
    checks = check_chats(
        chats,
        walks or [],
        caps,
        planned={"a": 2, "b": 2},
        rated=judged,
        counted=judged,
        find_chat=lambda token, key: stored or chat(),
    )
    return [check.rule for check in checks if not check.has_held]


def test_chats_as_they_should_be_break_no_rule() -> None:
    assert broken(GOOD, [walk("x", "Hi!", "Bye!")], stored=chat("Hi!", "Bye!")) == []


def test_a_group_with_too_many_chats_that_count_is_noticed() -> None:
    assert broken([*GOOD, summary("z", "a")]) == ["counted chats of a group beyond those planned"]


def test_cohorts_with_places_of_their_own_have_chats_of_their_own() -> None:
    caps = replace(CAPS, copies={"": 1, "expert": 1})
    chats = [summary(annotator, "a") for annotator in "vwxy"]
    assert broken(chats, caps=caps) == []
    assert broken([*chats, summary("z", "a")], caps=caps) == ["counted chats of a group beyond those planned"]


def test_an_annotator_who_met_a_group_twice_is_noticed() -> None:
    assert broken([summary("x", "a"), summary("x", "a")]) == ["chats of one annotator in one group"]


def test_a_chat_that_was_too_long_or_too_short_to_be_rated_is_noticed() -> None:
    assert broken([summary("x", "a", exchanges=4)]) == ["turns in a chat beyond the most there may be"]
    assert broken([summary("x", "a", exchanges=1)]) == ["rated chats with too few exchanges"]


def test_a_turn_that_was_lost_doubled_or_changed_is_noticed() -> None:
    for stored in (chat("Hi!"), chat("Hi!", "Bye!", "Bye!"), chat("Bye!", "Hi!"), chat("Hi!", "bye!")):
        found = broken(GOOD, [walk("x", "Hi!", "Bye!")], stored=stored)
        assert found == ["chats in which a turn was lost, doubled or changed"]


def test_a_spammer_without_a_flag_is_noticed_once_the_chat_is_rated() -> None:
    spammer = [walk("x", kind="spammer")]
    flagged = summary("x", "a", flags=(Flag("few-words", "4 words"),))
    assert broken([flagged], spammer) == []
    assert broken([summary("x", "a")], spammer) == ["rated chats of spammers without a flag"]
    assert broken([replace(flagged, flags=(), judgment="")], spammer) == []
    assert broken([replace(flagged, flags=(), ending="bot-failed")], spammer) == []
