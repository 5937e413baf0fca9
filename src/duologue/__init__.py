"""Duologue tells you, credibly and with the fewest human hours, which of your chatbots is better.

The commands are here for notebooks too, under the same names. Each name is imported from its
room when it is first used, so that ``import duologue`` stays light.

    from duologue import new_study, import_dialogues, make_pairings, rehearse, analyse_study, write_report
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
    from duologue.acute import export_pairings, import_pairings, make_pairings
    from duologue.demo import make_demo
    from duologue.dialogues import (
        Dialogue,
        Speaker,
        Turn,
        check_dialogues,
        import_dialogues,
        read_dialogues,
        study_dialogues,
        write_dialogues,
    )
    from duologue.judgments import Votes, read_votes
    from duologue.rehearsal import rehearse
    from duologue.reports import analyse_file, analyse_study, write_report, write_results
    from duologue.server import create_app, serve_study
    from duologue.store import Store, open_store
    from duologue.studies import Study, check_study, describe_study, load_study, new_study

__all__ = [
    "Dialogue",
    "Speaker",
    "Store",
    "Study",
    "Turn",
    "Votes",
    "__version__",
    "analyse_file",
    "analyse_study",
    "check_dialogues",
    "check_study",
    "create_app",
    "describe_study",
    "export_pairings",
    "import_dialogues",
    "import_pairings",
    "load_study",
    "make_demo",
    "make_pairings",
    "new_study",
    "open_store",
    "read_dialogues",
    "read_votes",
    "rehearse",
    "serve_study",
    "study_dialogues",
    "write_dialogues",
    "write_report",
    "write_results",
]

_ROOMS = ("dialogues", "judgments", "studies", "acute", "store", "reports", "server", "rehearsal", "demo")


def __getattr__(name: str) -> object:
    """Import a public name from its room, the lightest first, when it is first asked for."""
    if name == "__version__":
        return import_module("importlib.metadata").version("duologue")
    if name in __all__:
        for room in _ROOMS:
            front = import_module(f"duologue.{room}")
            if name in front.__all__:
                return getattr(front, name)
    raise AttributeError(f"module 'duologue' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What there is, for completion in notebooks."""
    return list(__all__)
