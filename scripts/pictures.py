"""The pictures of README and docs, taken from the running program.

Each picture names the files of the program that draw what it shows. Their fingerprint is kept beside the
pictures, in docs/images/shown.json; `make docs` takes a picture again when its fingerprint has changed.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "duologue"
IMAGES = ROOT / "docs" / "images"
SHOWN = IMAGES / "shown.json"

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SCREEN = {"width": 1100, "height": 720}
PHONE = {"width": 390, "height": 720}
PATIENCE = 240
COLOURS = 256

ANNOTATOR = (
    "server/templates/annotator.html",
    "server/templates/dialogue.html",
    "server/static/annotator.css",
    "server/static/js/*.js",
    "studies/wording.py",
)
"""What every page of an annotator is drawn from."""


@dataclass(frozen=True)
class Picture:
    """How a picture is taken, and the files of the program (patterns under src/duologue) that it shows."""

    scene: Callable[[Any, Path], bytes]
    shows: tuple[str, ...]

    def fingerprint(self) -> str:
        """Of the files it shows."""
        digest = hashlib.sha256()
        for pattern in self.shows:
            files = sorted(SOURCE.glob(pattern))
            if not files:
                sys.exit(f"scripts/pictures.py: no file is called {pattern}; correct what the picture shows")
            for file in files:
                digest.update(file.relative_to(SOURCE).as_posix().encode() + b"\0" + file.read_bytes())
        return digest.hexdigest()


def stale_pictures() -> list[str]:
    """The pictures that are missing, or whose page has changed since they were taken."""
    kept = json.loads(SHOWN.read_text(encoding="utf-8")) if SHOWN.exists() else {}
    return [
        name
        for name, picture in PICTURES.items()
        if kept.get(name) != picture.fingerprint() or not (IMAGES / f"{name}.png").exists()
    ]


def take_pictures(names: list[str]) -> None:
    """Take these pictures anew, and keep what they show."""
    if not names:
        return
    from playwright.sync_api import sync_playwright

    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        sys.exit("There is no Chromium on this machine: run scripts/chromium, then `make docs` again.")
    kept = json.loads(SHOWN.read_text(encoding="utf-8")) if SHOWN.exists() else {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        for name in names:
            print(f"taking {name}.png", flush=True)
            with tempfile.TemporaryDirectory() as folder:
                image = PICTURES[name].scene(browser, Path(folder))
            (IMAGES / f"{name}.png").write_bytes(_small(image))
            kept[name] = PICTURES[name].fingerprint()
            known = {name: kept[name] for name in sorted(PICTURES) if name in kept}
            SHOWN.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
        browser.close()


def _small(image: bytes) -> bytes:
    from PIL import Image

    small = io.BytesIO()
    picture = Image.open(io.BytesIO(image)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    picture.save(small, "PNG", optimize=True)
    return small.getvalue()


def _side_by_side(left: bytes, right: bytes) -> bytes:
    from PIL import Image

    images = [Image.open(io.BytesIO(image)).convert("RGB") for image in (left, right)]
    gap = 24
    width = sum(image.width for image in images) + gap
    both = Image.new("RGB", (width, max(image.height for image in images)), "white")
    both.paste(images[0], (0, 0))
    both.paste(images[1], (images[0].width + gap, 0))
    whole = io.BytesIO()
    both.save(whole, "PNG")
    return whole.getvalue()


def _run(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "duologue"), *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"COLUMNS": "100"},
    )
    if done.returncode:
        sys.exit(f"duologue {' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


@contextmanager
def _served(folder: Path, study: str) -> Iterator[dict[str, str]]:
    """The links that `serve` prints, by name."""
    command = [str(Path(sys.executable).parent / "duologue"), "serve", study, "--port", "0"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    watch = threading.Timer(PATIENCE, server.kill)
    watch.start()
    links: dict[str, str] = {}
    try:
        assert server.stdout
        for line in server.stdout:
            if found := re.match(r"  (\w[\w ]*?)  +(http\S+)", line):
                links[found[1]] = found[2]
            if "to stop" in line:
                break
        yield links
    finally:
        watch.cancel()
        server.send_signal(signal.SIGINT)
        server.wait(timeout=PATIENCE)


def _page(browser: Any, link: str, viewport: dict[str, int] = SCREEN) -> Any:
    page = browser.new_page(viewport=viewport)
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(link)
    return page


def _agree(page: Any) -> None:
    agree = page.locator("form[action$=consent] button").first
    if agree.count() and agree.is_visible():
        with page.expect_navigation():
            agree.click()


def _setting(file: Path, *changes: tuple[str, str]) -> None:
    """Replace lines of a study file; each must be there."""
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        if old not in text:
            sys.exit(f"scripts/pictures.py: {file.name} no longer has {old!r}; correct the picture's scene")
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")


def _comparison(answer: str, keys: tuple[str, ...]) -> Callable[[Any, Path], bytes]:
    """A page of the demo, with this answer chosen by these keys."""

    def scene(browser: Any, folder: Path) -> bytes:
        _run(folder, "demo", "--no-serve")
        if answer != "choice":
            study = folder / "duologue-demo"
            _setting(study / "study.toml", ('answer = "choice"', f'answer = "{answer}"'))
            (study / "pairings.jsonl").unlink()
            _run(folder, "pairings", "make", "duologue-demo")
        with _served(folder, "duologue-demo") as links:
            page = _page(browser, links["annotator"])
            _agree(page)
            page.locator(".dialogues").wait_for()
            for key in keys:
                page.keyboard.press(key)
            page.locator("#reason").fill("Asked about my garden, and remembered what I had said.")
            return bytes(page.screenshot())

    return scene


TOGETHER = """\
ask = "together"
question_order = "as-written"
[[acute.questions]]
name = "engaging"
[[acute.questions]]
name = "human"
question = "humanness"
[[acute.questions]]
name = "informed"
question = "knowledgeable"

[acute.pairings]"""


def _together(browser: Any, folder: Path) -> bytes:
    """The second of three questions about the same dialogues."""
    _run(folder, "demo", "--no-serve")
    _setting(folder / "duologue-demo" / "study.toml", ("[acute.pairings]", TOGETHER))
    with _served(folder, "duologue-demo") as links:
        page = _page(browser, links["annotator"])
        _agree(page)
        page.locator(".dialogues").wait_for()
        page.keyboard.press("1")
        page.locator("#reason").fill("Asked about my garden, and remembered what I had said.")
        page.keyboard.press("Enter")
        page.keyboard.press("2")
        page.get_by_role("button", name="Which speaker").click()
        page.mouse.move(0, 0)
        return bytes(page.screenshot())


def _say(page: Any, text: str) -> None:
    page.locator("textarea:visible").first.fill(text)
    page.keyboard.press("Enter")


def _chat(browser: Any, folder: Path) -> bytes:
    _run(folder, "demo", "--talk", "--no-serve")
    with _served(folder, "duologue-talk") as links:
        page = _page(browser, links["annotator"], SCREEN | {"height": 640})
        _agree(page)
        for number, text in enumerate(
            ("Hi! I have just come back from a walk with my dog.", "She is called Nell. Do you have pets?")
        ):
            _say(page, text)
            page.locator(".turn.partner").nth(number).wait_for()
        return bytes(page.screenshot())


def _cards(browser: Any, folder: Path) -> bytes:
    """Replies on offer in a new per-turn study, judged on two dimensions."""
    _run(folder, "study", "new", "turns", "--protocol", "per-turn", "--seed", "7")
    file = folder / "turns" / "study.toml"
    _setting(file, ("dimensions = []", 'dimensions = ["engaging"]'))
    with _served(folder, "turns") as links:
        page = _page(browser, links["annotator"], SCREEN)
        _agree(page)
        _say(page, "Hi! I have just come back from a walk with my dog.")
        page.locator("input[type=radio], input[type=checkbox]").first.wait_for()
        page.wait_for_timeout(500)
        return bytes(page.screenshot())


def _nuc(folder: Path) -> None:
    """A small nuc study from the human dialogues of the demo."""
    _run(folder, "demo", "--no-serve")
    _run(folder, "study", "new", "nuc", "--protocol", "nuc", "--seed", "7")
    _setting(
        folder / "nuc" / "study.toml",
        ("versions = 4 ", "versions = 1 "),
        ("per_annotator = 30", "per_annotator = 10"),
    )
    human = folder / "duologue-demo" / "dialogues" / "human.jsonl"
    words = ("--per-dialogue", "3", "--test", "1", "--train", "0", "--valid", "0")
    _run(folder, "nuc", "build", str(human), "--out", "nuc/task", *words)


def _form(browser: Any, folder: Path) -> bytes:
    return _on_screen_and_phone(browser, folder, _agree)


def _questionnaire(browser: Any, folder: Path) -> bytes:
    def fill_in(page: Any) -> None:
        _agree(page)
        form = page.locator("form[data-form=fill-in]")
        if form.count():
            page.locator("[name$=knowledge][value=Intermediate]").check()
            with page.expect_navigation():
                form.locator("button").first.click()
        page.locator("[data-assignment]").wait_for()

    return _on_screen_and_phone(browser, folder, fill_in)


def _on_screen_and_phone(browser: Any, folder: Path, until: Callable[[Any], None]) -> bytes:
    _nuc(folder)
    images = []
    with _served(folder, "nuc") as links:
        for viewport in (SCREEN, PHONE):
            page = _page(browser, links["annotator"], viewport)
            until(page)
            images.append(bytes(page.screenshot()))
            page.context.clear_cookies()
    return _side_by_side(*images)


def _report(browser: Any, folder: Path) -> bytes:
    _run(folder, "demo", "--rehearse", "--no-serve")
    [report] = folder.glob("duologue-demo/rehearsal/**/report.html")
    page = _page(browser, report.as_uri(), {"width": 1100, "height": 1000})
    return bytes(page.screenshot())


def _dashboard(browser: Any, folder: Path) -> bytes:
    _run(folder, "demo", "--rehearse", "--no-serve")
    with _served(folder, "duologue-demo/rehearsal") as links:
        page = _page(browser, links["researcher"], SCREEN)
        page.locator("nav").first.wait_for()
        page.wait_for_timeout(500)
        return bytes(page.screenshot())


PICTURES = {
    "judging": Picture(_comparison("choice", ("1",)), (*ANNOTATOR, "acute/templates/comparison.html")),
    "graded": Picture(_comparison("graded", ("2",)), (*ANNOTATOR, "acute/templates/comparison.html")),
    "ranking": Picture(
        _comparison("ranking", ("2", "3", "1")),
        (*ANNOTATOR, "acute/templates/ranking.html", "acute/wording.py"),
    ),
    "together": Picture(
        _together,
        (*ANNOTATOR, "acute/templates/comparison.html", "acute/templates/asked.html", "acute/wording.py"),
    ),
    "chat": Picture(_chat, (*ANNOTATOR, "server/templates/chat.html", "likert/wording.py")),
    "cards": Picture(
        _cards,
        (*ANNOTATOR, "server/templates/chat.html", "server/templates/cards.html", "per_turn/wording.py"),
    ),
    "form": Picture(_form, (*ANNOTATOR, "server/templates/form.html")),
    "questionnaire": Picture(_questionnaire, (*ANNOTATOR, "nuc/templates/questionnaire.html")),
    "report": Picture(
        _report,
        (
            "reports/templates/base.html",
            "acute/templates/report.html",
            "acute/report/*.py",
            "acute/analysis/verdicts.py",
            "acute/analysis/leaderboard.py",
        ),
    ),
    "dashboard": Picture(
        _dashboard,
        (
            "server/templates/researcher_base.html",
            "server/templates/overview.html",
            "server/static/researcher.css",
            "server/static/js/researcher.js",
        ),
    ),
}
