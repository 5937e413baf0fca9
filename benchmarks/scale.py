"""A million judgments of 10,000 annotators on SQLite: pages, export, analysis, first start of the study.

Every figure is a ratio to the plainest way of doing the same on the same machine in the same run: a page to
``SELECT count(*) … GROUP BY``, the export to a loop over one query that writes the same bytes, the first
start to a bare ``executemany`` of the same rows.

Run it with ``python -m benchmarks scale``; ``SCALE_ANNOTATORS=1000`` makes it a tenth of the size.
"""

from __future__ import annotations

import hashlib
import http.client
import multiprocessing
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from benchmarks._million import Size, add_judgments, lease_some, write_study
from duologue.server import prepare_study
from duologue.store import ensure_secret, open_store
from duologue.studies import load_study

HERE = Path(__file__).parent
SIZE = Size(annotators=int(os.environ.get("SCALE_ANNOTATORS", "10000")), per_group=10)
LEASES = 500

PAGE_SECONDS = 0.5
EXPORT_RATIO = 2.5
EXPORT_MEGABYTES = 300.0
START_RATIO = 1.8
ANALYSE_RATIO = 3.0
ANALYSE_MEGABYTES = 600.0
PAGE_KILOBYTES = 200.0

PAGES = {
    "overview": "/researcher",
    "annotators": "/researcher/annotators",
    "annotators searched": "/researcher/annotators?search=annotator+77",
    "one annotator": "/researcher/annotators/{annotator}",
    "links": "/researcher/links",
    "leases": "/researcher/leases",
    "judgments": "/researcher/judgments",
    "judgments searched": "/researcher/judgments?search=annotator+77",
}
"""The pages that are measured."""


def main() -> dict[str, object]:
    """Make the study, start it for the first time, fill it, look at it, take it out."""
    (HERE / "out").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR", HERE / "out")) as folder:
        study = Path(folder) / "study"
        write_study(study, SIZE)
        figures: dict[str, object] = {"judgments": SIZE.judgments, "annotators": SIZE.annotators}
        figures |= first_start(study, Path(folder))
        _apart(add_judgments, study / "study.db", SIZE)
        lease_some(study, LEASES)
        figures |= looking(study)
        figures |= exporting(study, Path(folder))
        figures |= analysing(study, Path(folder))
    return figures


def _apart(work: Callable[..., None], *given: object) -> None:
    """Do something in a process of its own: what we start later would count our largest size as its own."""
    process = multiprocessing.get_context("spawn").Process(target=work, args=given)
    process.start()
    process.join()
    if process.exitcode:
        raise RuntimeError(f"{work.__name__} ended with {process.exitcode}")


def first_start(study: Path, folder: Path) -> dict[str, object]:
    """A study is loaded into its store for the first time; and its rows by bare inserts."""
    ours = _run([sys.executable, "-m", "benchmarks.scale", str(study)])
    seconds, cpu = _bare_inserts(study / "study.db", folder / "bare.db")
    (folder / "bare.db").unlink()
    return {
        "first start: seconds": round(ours.seconds, 1),
        "first start: of them CPU": round(ours.cpu, 1),
        "first start: bare executemany seconds": round(seconds, 1),
        "first start: bare executemany, of them CPU": round(cpu, 1),
        "first start: ratio to bare executemany": round(ours.seconds / seconds, 2),
        "first start: ratio to bare executemany in CPU": round(ours.cpu / cpu, 2),
        "first start: megabytes": round(ours.megabytes),
        f"met: first start within {START_RATIO} × bare inserts": ours.seconds <= START_RATIO * seconds,
    }


def _bare_inserts(source: Path, target: Path) -> tuple[float, float]:
    """Seconds, and of them CPU, that ``executemany`` takes for the loaded rows, on the same schema."""
    open_store(f"sqlite:///{target}").close()
    watch = Watch()
    with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(target)) as writing:
        writing.isolation_level = None
        for setting in ("synchronous=FULL", "foreign_keys=1", "secure_delete=1", "cache_size=-65536"):
            writing.execute(f"PRAGMA {setting}")
        writing.execute("BEGIN IMMEDIATE")
        for table in ("dialogues", "quotas", "arms", "items", "item_dialogues", "slots"):
            rows = reading.execute(f"SELECT * FROM {table}")
            into = f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows.description))})"
            while some := rows.fetchmany(20_000):
                with watch:
                    writing.executemany(into, some)
        with watch:
            writing.execute("COMMIT")
    return watch.seconds, watch.cpu


class Watch:
    """Adds up the time spent in blocks."""

    def __init__(self) -> None:
        self.seconds = self.cpu = 0.0

    def __enter__(self) -> None:
        self.seconds -= time.perf_counter()
        self.cpu -= time.process_time()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter()
        self.cpu += time.process_time()


def looking(study: Path) -> dict[str, object]:
    """Seconds and bytes of every page, and what a plain grouped count takes."""
    figures: dict[str, object] = {}
    with Served(study) as server:
        bare = _grouped_count(study / "study.db")
        figures["SELECT count(*) … GROUP BY: seconds"] = round(bare, 3)
        with closing(sqlite3.connect(study / "study.db")) as database:
            (annotator,) = database.execute("SELECT id FROM annotators WHERE n = 77").fetchone()
        slow, large = [], []
        for name, path in {**PAGES, "/api/progress": "/api/progress"}.items():
            seconds, size = server.timed(path.format(annotator=annotator))
            figures[f"{name}: seconds"] = round(seconds, 3)
            figures[f"{name}: ratio to the grouped count"] = round(seconds / bare, 2)
            figures[f"{name}: kilobytes"] = round(size / 1000, 1)
            slow += [name] if seconds > PAGE_SECONDS else []
            large += [name] if size > 1000 * PAGE_KILOBYTES else []
        figures[f"met: every page within {PAGE_SECONDS} s"] = not slow
        figures[f"met: every page within {PAGE_KILOBYTES:g} kB"] = not large
        began = time.perf_counter()
        server.get("/researcher/judgments.csv")
        figures["download CSV: seconds"] = round(time.perf_counter() - began, 1)
        figures["download CSV: megabytes of the server"] = round(server.peak_megabytes())
        figures[f"met: download within {EXPORT_MEGABYTES:g} MB"] = server.peak_megabytes() < EXPORT_MEGABYTES
    return figures


def _grouped_count(path: Path) -> float:
    with closing(sqlite3.connect(path)) as database:
        spent = []
        for _ in range(3):
            began = time.perf_counter()
            database.execute(
                "SELECT quota, revision, shown, answer, count(*) FROM judgments GROUP BY 1, 2, 3, 4"
            ).fetchall()
            spent.append(time.perf_counter() - began)
    return min(spent)


def exporting(study: Path, folder: Path) -> dict[str, object]:
    """The export by the command, and the same bytes by a plain loop."""
    figures: dict[str, object] = {}
    for kind in ("jsonl", "csv"):
        out, plain = folder / f"export.{kind}", folder / f"plain.{kind}"
        python, database = [sys.executable, "-m"], str(study / "study.db")
        bare = _run([*python, "benchmarks._plain_export", kind, database, str(plain)])
        ours = _run([*python, "duologue", "judgments", "export", str(study), "--out", str(out)])
        figures |= {
            f"export {kind}: seconds": round(ours.seconds, 1),
            f"export {kind}: of them CPU": round(ours.cpu, 1),
            f"export {kind}: rows a second": round(SIZE.judgments / ours.seconds),
            f"export {kind}: plain loop seconds": round(bare.seconds, 1),
            f"export {kind}: plain loop, of them CPU": round(bare.cpu, 1),
            f"export {kind}: ratio to the plain loop": round(ours.seconds / bare.seconds, 2),
            f"export {kind}: ratio to the plain loop in CPU": round(ours.cpu / bare.cpu, 2),
            f"export {kind}: megabytes": round(ours.megabytes),
            f"met: export {kind} within {EXPORT_RATIO} × a plain loop": ours.seconds
            <= EXPORT_RATIO * bare.seconds,
            f"met: export {kind} within {EXPORT_MEGABYTES:g} MB": ours.megabytes < EXPORT_MEGABYTES,
            f"met: export {kind} has the bytes of the plain loop": _digest(out) == _digest(plain),
        }
        out.unlink()
        plain.unlink()
    return figures


def analysing(study: Path, folder: Path) -> dict[str, object]:
    """The analysis of the study, and of the table that it exports; both write their tables."""
    table, duologue = folder / "export.csv", [sys.executable, "-m", "duologue"]
    _run([*duologue, "judgments", "export", str(study), "--out", str(table)])
    of_file = _run([*duologue, "analyse", str(table), "--out", str(folder / "of-file")])
    of_study = _run([*duologue, "analyse", str(study)])
    table.unlink()
    return {
        "analyse study: seconds": round(of_study.seconds, 1),
        "analyse study: of them CPU": round(of_study.cpu, 1),
        "analyse its export: seconds": round(of_file.seconds, 1),
        "analyse its export: of them CPU": round(of_file.cpu, 1),
        "analyse study: ratio to its export in CPU": round(of_study.cpu / of_file.cpu, 2),
        "analyse study: megabytes": round(of_study.megabytes),
        f"met: analyse study within {ANALYSE_RATIO} × its export": of_study.cpu
        <= ANALYSE_RATIO * of_file.cpu,
        f"met: analyse study within {ANALYSE_MEGABYTES:g} MB": of_study.megabytes < ANALYSE_MEGABYTES,
    }


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class Used:
    """What a command took."""

    seconds: float
    cpu: float
    """Seconds of the processor: other work on the machine does not count."""
    megabytes: float
    """At its peak."""


def _run(command: list[str]) -> Used:
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    seconds = time.perf_counter() - began
    return Used(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


class Served:
    """The study as a researcher serves it, and a researcher who is signed in."""

    def __init__(self, study: Path) -> None:
        self.study = study

    def __enter__(self) -> Served:
        loaded = load_study(self.study)
        with open_store(loaded.database) as store:
            self.key = store.run(ensure_secret("researcher"))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "duologue", "serve", str(self.study), "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout
        for line in self.process.stdout:
            if found := re.search(r"http://[^:]+:(\d+)/researcher", line):
                self.port = int(found[1])
                break
        body = urlencode({"key": self.key})
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        headers = {"content-type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/researcher/sign-in", body, headers)
        self.cookie = (connection.getresponse().getheader("set-cookie") or "").split(";")[0]
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)

    def get(self, path: str) -> int:
        """Fetch a page; how many bytes it has."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request(
            "GET", path, headers={"cookie": self.cookie, "authorization": f"Bearer {self.key}"}
        )
        answer = connection.getresponse()
        if answer.status != 200:
            raise RuntimeError(f"{path}: status {answer.status}")
        size = 0
        while piece := answer.read(1 << 20):
            size += len(piece)
        return size

    def timed(self, path: str) -> tuple[float, int]:
        """Seconds and bytes of a page: the median of three visits."""
        spent = []
        for _ in range(3):
            began = time.perf_counter()
            size = self.get(path)
            spent.append(time.perf_counter() - began)
        return sorted(spent)[1], size

    def peak_megabytes(self) -> float:
        """The most memory the server has used so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+)", status)
        assert found
        return int(found[1]) / 1024


def _start(study: Path) -> None:
    loaded = load_study(study)
    with open_store(loaded.database) as store:
        prepare_study(loaded, store)


if __name__ == "__main__":
    _start(Path(sys.argv[1]))
