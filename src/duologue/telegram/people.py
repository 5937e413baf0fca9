"""Who writes to the bot account: known by a keyed hash of their Telegram id, never by name.

The hash is the label of their annotator, so withdrawing erases it. Where to send messages is kept only while
there is something to send, and sealed with the bot account's token: the database alone does not tell it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from duologue.strict_json import read_json
from duologue.telegram.flow import Intent, SentState

KIND = "telegram"
"""How these annotators came; reported apart, as those of the open link are."""


@dataclass(slots=True)
class Person:
    """An annotator in Telegram, as this process knows them: the database knows the same."""

    annotator: str
    token: str
    chat: int
    shown: SentState = field(default_factory=SentState)
    intent: Intent = field(default_factory=Intent)


def identity(secret: str, user: int) -> str:
    """The pseudonym of a Telegram user in one study; other studies have others.

    Example:
        >>> identity("a", 5) == identity("a", 5), identity("a", 5) == identity("b", 5)
        (True, False)
    """
    digest = hmac.new(secret.encode(), str(user).encode(), hashlib.sha256).hexdigest()
    return f"telegram-{digest[:24]}"


def person_fact(annotator: str) -> str:
    """Under which the store remembers what somebody was sent."""
    return f"telegram-person:{annotator}"


def write_person(person: Person, *, token: str, keep_address: bool) -> str:
    """What the store remembers of somebody; their address only while there is something to send."""
    record = {
        "to": seal(person.chat, token) if keep_address else "",
        "shown": asdict(person.shown),
        "intent": asdict(person.intent),
    }
    return json.dumps(record, ensure_ascii=False)


def read_person(text: str | None, *, annotator: str, link: str, token: str) -> Person | None:
    """Somebody as the store remembers them; None when they cannot be written to.

    Args:
        text: What `write_person` made.
        annotator: Their id.
        link: The capability of the annotator.
        token: The bot account's.
    """
    record = read_json(text) if text else {}
    chat = unseal(str(record.get("to", "")), token)
    if chat is None:
        return None
    return Person(annotator, link, chat, *read_progress(text))


def read_progress(text: str | None) -> tuple[SentState, Intent]:
    """What somebody was sent and told us, as the store remembers it."""
    record: Mapping[str, Mapping[str, object]] = read_json(text) if text else {}
    shown, intent = record.get("shown", {}), record.get("intent", {})
    answer = intent.get("answer")
    return (
        SentState(
            str(shown.get("assignment", "")), int(str(shown.get("turns", 0))), str(shown.get("page", ""))
        ),
        Intent(
            begun=str(intent.get("begun", "")),
            asked=str(intent.get("asked", "")),
            answer={str(key): str(value) for key, value in answer.items()}
            if isinstance(answer, dict)
            else {},
            has_stopped=bool(intent.get("has_stopped")),
        ),
    )


def seal(chat: int, token: str) -> str:
    """A chat's number, readable only with the bot account's token.

    One block of a keyed hash in counter mode with a fresh nonce, and a keyed hash over both.

    Example:
        >>> unseal(seal(123, "token"), "token"), unseal(seal(123, "token"), "other")
        (123, None)
    """
    nonce = secrets.token_bytes(16)
    hidden = _crossed(chat.to_bytes(8, signed=True), _keyed(token, b"pad", nonce))
    return (nonce + hidden + _keyed(token, b"tag", nonce + hidden)).hex()


def unseal(sealed: str, token: str) -> int | None:
    """The number that was sealed; None when it was not, or with another token."""
    try:
        whole = bytes.fromhex(sealed)
    except ValueError:
        return None
    nonce, hidden, tag = whole[:16], whole[16:24], whole[24:]
    if len(whole) != 56 or not hmac.compare_digest(tag, _keyed(token, b"tag", nonce + hidden)):
        return None
    return int.from_bytes(_crossed(hidden, _keyed(token, b"pad", nonce)), signed=True)


def _keyed(token: str, use: bytes, data: bytes) -> bytes:
    return hmac.new(token.encode(), b"duologue telegram " + use + data, hashlib.sha256).digest()


def _crossed(data: bytes, pad: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(data, pad, strict=False))
