"""A million pairings of two times a hundred thousand dialogues: within a minute and two gigabytes."""

import json
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path

DIALOGUES, PAIRINGS = 100_000, 1_000_000


def main() -> dict[str, object]:
    """From dialogue files on disk to the pairings file on disk, in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_measure)


def _measure() -> dict[str, object]:
    from duologue.acute import change_pairing, make_pairings
    from duologue.studies import new_study

    with tempfile.TemporaryDirectory() as place:
        study = new_study(Path(place) / "s", seed=1)
        for bot in ("a", "b"):
            _write_dialogues(study.folder / "dialogues" / f"{bot}.jsonl", bot)
        start = time.perf_counter()
        made = make_pairings(study, settings=change_pairing(study, {"per_matchup": PAIRINGS}))
        seconds = time.perf_counter() - start
        size = made.path.stat().st_size
        plain = _plain_write_seconds(made.path)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    return {
        "pairings": sum(made.matchups.values()),
        "seconds": round(seconds, 1),
        "ratio to json.loads + json.dumps of the same lines": round(seconds / plain, 1),
        "file, MB": round(size / 1e6),
        "peak memory, GB": round(peak, 2),
        "met: under 60 s": seconds < 60,
        "met: under 2 GB": peak < 2,
    }


def _write_dialogues(path: Path, bot: str) -> None:
    turns = [{"speaker": f"{bot}_{1 + turn % 2}", "text": f"turn {turn}"} for turn in range(4)]
    speakers = [{"name": f"{bot}_{side}", "bot": bot} for side in (1, 2)]
    with path.open("w", encoding="utf-8") as file:
        for number in range(DIALOGUES):
            record = {
                "format": "duologue.dialogue/1",
                "id": f"{bot}-{number:06d}",
                "bot": bot,
                "kind": "self-chat",
                "judged": f"{bot}_1",
                "speakers": speakers,
                "turns": [*turns, {"speaker": f"{bot}_1", "text": f"number {number}"}],
            }
            file.write(json.dumps(record) + "\n")


def _plain_write_seconds(path: Path) -> float:
    start = time.perf_counter()
    with (
        path.open(encoding="utf-8") as source,
        (path.parent / "copy.jsonl").open("w", encoding="utf-8") as copy,
    ):
        for line in source:
            copy.write(json.dumps(json.loads(line)) + "\n")
    return time.perf_counter() - start
