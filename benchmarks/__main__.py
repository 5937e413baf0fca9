"""``make bench``: run benchmarks, print what was measured, keep it as JSON. Without a name: the list.

Each benchmark is a module with ``main() -> dict[str, object]``; a key that starts with ``met`` says whether a
target was met. Benchmarks are never part of the test suite.
"""

import importlib
import json
import os
import platform
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE / "out"


def names() -> list[str]:
    """Every benchmark there is."""
    return sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def run(wanted: list[str]) -> int:
    """Run the benchmarks one after another; the exit code says whether every target was met."""
    OUT.mkdir(exist_ok=True)
    machine = {"python": platform.python_version(), "cores": os.cpu_count(), "system": platform.system()}
    results: dict[str, dict[str, object]] = {}
    missed = []
    for name in wanted:
        print(f"== {name}", flush=True)
        start = time.perf_counter()
        figures = importlib.import_module(f"benchmarks.{name}").main()
        figures["seconds in all"] = round(time.perf_counter() - start, 1)
        results[name] = figures
        for key, value in figures.items():
            print(f"   {key}: {value}", flush=True)
            if key.startswith("met") and value is False:
                missed.append(f"{name}: {key}")
    (OUT / "results.json").write_text(
        json.dumps({"machine": machine, "results": results}, indent=1, default=str)
    )
    print("every target was met" if not missed else "NOT MET: " + "; ".join(missed))
    return bool(missed)


if __name__ == "__main__":
    if not sys.argv[1:]:
        print("python -m benchmarks NAME ..., or all of them with: make bench", *names(), sep="\n")
        sys.exit(0)
    sys.exit(run(sys.argv[1:]))
