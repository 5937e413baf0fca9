"""``python -m duologue`` is the command ``duologue``."""

from __future__ import annotations

from duologue.cli.main import run

if __name__ == "__main__":
    run()
