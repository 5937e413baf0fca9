"""``duologue demo`` as a user types it."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx2

from tests.cli.conftest import Run


def test_the_demo_is_rehearsed_up_to_its_report_and_taken_up_again(duologue: Run, tmp_path: Path) -> None:
    said = duologue("demo", "--rehearse", "--no-serve", "--annotators", "10").stdout
    assert said.startswith("Made the demo's study in duologue-demo")
    assert "REHEARSAL: 10 simulated annotators" in said
    report = re.search(r"Report: (\S+\.html)", said)
    assert report
    assert (tmp_path / report[1]).is_file()
    assert duologue("demo", "--no-serve").stdout.startswith("Found the demo's study in duologue-demo")


def test_a_folder_of_somebody_else_is_left_alone(duologue: Run, tmp_path: Path) -> None:
    (tmp_path / "duologue-demo").mkdir()
    (tmp_path / "duologue-demo" / "notes.txt").write_text("mine", encoding="utf-8")
    assert "Choose another folder with --folder" in duologue("demo", "--no-serve", expect=1).stderr


def test_the_demo_is_served_with_links_that_lead_somewhere(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "duologue", "demo", "--folder", "d", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if "to stop" in line:
                break
        links = re.findall(r"(?:annotator|open link|researcher) +(http\S+)", said)
        with httpx2.Client(trust_env=False, follow_redirects=True, timeout=300) as client:
            assert [client.get(link).status_code for link in links] == [200, 200, 200]
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
