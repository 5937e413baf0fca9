"""What a page saw of reading and writing; without its script neither is known."""

from __future__ import annotations

PASTED = "pasted"
"""Text was pasted that does not stand on the page."""
UNSCROLLED = "unscrolled"
"""The end of a dialogue was never in sight, and the annotator answered all the same."""

PAGE_FLAGS = (PASTED, UNSCROLLED)
"""Flags that a page raises: the fields of its form that say so have these names."""
