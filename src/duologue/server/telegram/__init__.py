"""A study through Telegram: the same store and the same questions as the pages, one bot account in front."""

from __future__ import annotations
