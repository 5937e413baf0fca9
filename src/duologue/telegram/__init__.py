"""A study through Telegram: the same store and the same questions as the pages, one bot account in front."""

from __future__ import annotations

from duologue.telegram.running import Telegram, check_telegram, run_telegram, telegram_from

__all__ = ["Telegram", "check_telegram", "run_telegram", "telegram_from"]
