"""The same benchmark of another version, in the same run: ``BEFORE=FOLDER``, a checkout of that version.

That version's own benchmark measures it, because how a study is made and opened may have changed since.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

NOISE = 1.1
"""By how much two runs of the same work differ on a quiet machine."""


def folder_before() -> Path | None:
    """The checkout of the version to compare with, if one is named."""
    named = os.environ.get("BEFORE")
    return Path(named).resolve() if named else None


def compared_with_before(
    benchmark: str, ours: Mapping[str, object], *, smaller_is_better: Iterable[str]
) -> dict[str, object]:
    """Figures of that version, and ours as ratios to them; nothing when no version is named.

    Args:
        benchmark: The name of the benchmark.
        ours: What it measured here.
        smaller_is_better: The figures to compare.
    """
    folder = folder_before()
    if folder is None:
        return {}
    theirs = _figures_of(folder, benchmark)
    result: dict[str, object] = {}
    for name in smaller_is_better:
        now, then = float(str(ours[name])), float(str(theirs[name]))
        result |= {
            f"before: {name}": then,
            f"ratio to before: {name}": round(now / then, 2),
            f"met: {name} not worse than before": now <= NOISE * then,
        }
    return result


def _figures_of(folder: Path, benchmark: str) -> dict[str, object]:
    script = (
        f"import importlib, json; found = importlib.import_module('benchmarks.{benchmark}').main(); "
        "print(json.dumps(found, default=str))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder / 'src'}:{folder}", "BEFORE": ""},
        check=True,
        text=True,
        stdout=subprocess.PIPE,
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))
