"""Duologue tells you, credibly and with the fewest human hours, which of your chatbots is better."""

from __future__ import annotations

from importlib.metadata import version

__version__ = version("duologue")
