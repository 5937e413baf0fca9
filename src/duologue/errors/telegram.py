"""What Telegram's Bot API refuses."""

from __future__ import annotations

from duologue.errors.root import DuologueError


class TelegramError(DuologueError):
    """Telegram's Bot API refused something, or is out of reach."""

    def __init__(
        self, method: str, why: str, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(f"Telegram, {method}: {why}.{_telegram_advice(status)}")
        self.method, self.why, self.status, self.retry_after = method, why, status, retry_after

    @property
    def may_pass(self) -> bool:
        """Whether asking again may help: Telegram is busy, broken, or there is no connection."""
        return self.status is None or self.status == 429 or self.status >= 500

    @property
    def is_unreachable_person(self) -> bool:
        """Whether a message cannot reach the one it is for: they blocked the bot account, or are gone."""
        return self.status == 403 or (self.status == 400 and "chat not found" in self.why.lower())


def _telegram_advice(status: int | None) -> str:
    if status in (401, 404):
        return " Check the token in DUOLOGUE_TELEGRAM_TOKEN: @BotFather gives it."
    if status is None:
        return " Check the network, and DUOLOGUE_TELEGRAM_API if it is set."
    return ""
