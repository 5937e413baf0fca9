"""The demo: a complete small study with real bots, made at once and without a network."""

from __future__ import annotations

from duologue.demo.humans import HUMAN, human_dialogues
from duologue.demo.make import PREFERENCES, Demo, make_demo
from duologue.demo.talk import LLM, MEANS, make_talk

__all__ = ["HUMAN", "LLM", "MEANS", "PREFERENCES", "Demo", "human_dialogues", "make_demo", "make_talk"]
