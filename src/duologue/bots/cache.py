"""Replies kept on disk under a name made of all that they depend on."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from duologue.bots.base import Message, Reply
from duologue.strict_json import read_json


@dataclass(frozen=True, slots=True)
class ReplyCache:
    """A folder of replies; each is a file of its own, whole or not there.

    A file that is damaged counts as not there. The folder can be deleted at any time.
    """

    folder: Path

    def get(self, key: str) -> Reply | None:
        """The reply kept under a key, if there is one."""
        try:
            kept = read_json(self._path(key).read_bytes())
            return Reply(str(kept["text"]), float(kept["seconds"]), kept["tokens"], kept["meta"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply. A folder that cannot be written to keeps nothing, and costs nobody a reply."""
        path = self._path(key)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        kept = {
            "text": reply.text,
            "seconds": reply.seconds,
            "tokens": reply.tokens,
            "meta": dict(reply.meta),
        }
        with suppress(OSError):
            try:
                draft.write_text(json.dumps(kept), encoding="utf-8")
            except FileNotFoundError:
                path.parent.mkdir(parents=True, exist_ok=True)
                draft.write_text(json.dumps(kept), encoding="utf-8")
            draft.replace(path)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def reply_key(identity: Mapping[str, object], messages: Sequence[Message], seed: int) -> str:
    """A name for a reply, made of the bot's settings, what was said so far and the seed.

    Example:
        >>> said = [Message("user", "Hi!")]
        >>> reply_key({"kind": "x"}, said, 1) == reply_key({"kind": "x"}, said, 2)
        False
    """
    whole = [identity, [(message.role, message.text) for message in messages], seed]
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
