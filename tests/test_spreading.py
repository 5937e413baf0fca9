"""Tests in several processes: all are run and told, whoever dies, and fixtures end where they should."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import finished

ROOT = Path(__file__).parent.parent
FEW = """
import os, pathlib, pytest

SEEN = pathlib.Path(__file__).with_suffix(".seen")

@pytest.fixture(scope="session", autouse=True)
def there():
    yield
    SEEN.write_text(f"{os.getpid()} {os.getppid()}")

def test_passes(tmp_path): (tmp_path / "x").touch(exist_ok=False)
def test_fails(): print("what was printed"); assert 1 == 2
@pytest.mark.skip("later")
def test_skipped(): pass
"""


def spread(folder: Path, *arguments: str, **files: str) -> subprocess.CompletedProcess[str]:
    """Run files of tests in two processes."""
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(text, encoding="utf-8")
    plugins = ["-p", "no:cacheprovider", "-p", "timeout", "-p", "tests.spreading", "--processes", "2"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--rootdir",
        folder,
        "-c",
        "/dev/null",
        "--color=no",
        *plugins,
        folder,
    ]
    return finished(
        [*command, *arguments],
        folder=ROOT,
        variables={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""},
    )


def test_every_report_comes_from_processes_of_their_own(tmp_path: Path) -> None:
    done = spread(tmp_path, one=FEW, other=FEW)
    assert "2 failed, 2 passed, 2 skipped" in done.stdout, done.stdout + done.stderr
    assert done.stdout.count("what was printed\n") == 2
    assert done.returncode == 1
    ran, parents = zip(*(path.read_text().split() for path in tmp_path.glob("*.seen")), strict=True)
    assert len(set(parents)) == 1
    assert not set(ran) & set(parents)


@pytest.mark.parametrize("death", ["os._exit(0)", "os.kill(os.getpid(), 9)"])
def test_one_that_dies_fails_its_test_and_another_does_the_rest(tmp_path: Path, death: str) -> None:
    dies = f"import os\ndef test_first(): pass\ndef test_dies(): {death}\ndef test_next(): pass\n"
    done = spread(tmp_path, dies=dies, lives="def test_lives(): pass\n")
    assert "1 failed, 3 passed" in done.stdout, done.stdout + done.stderr
    assert "The process that ran this test ended." in done.stdout
    assert "test_dies" in done.stdout


@pytest.mark.parametrize("end", ["raise ValueError('why')", "os.kill(os.getpid(), 9)"])
def test_one_that_ends_badly_after_its_tests_is_no_success(tmp_path: Path, end: str) -> None:
    (tmp_path / "conftest.py").write_text(f"import os\ndef pytest_process_ends(config): {end}\n", "utf-8")
    done = spread(tmp_path, right="def test_right(): pass\n")
    assert "a process ended badly between two tests" in done.stdout, done.stdout + done.stderr
    assert ("ValueError: why" in done.stderr) == ("why" in end)
    assert done.returncode == 1


def test_nothing_more_is_handed_out_when_it_is_to_stop(tmp_path: Path) -> None:
    fails = "def test_fails(): assert False\ndef test_next(): pass\n"
    files = {f"f{number}": fails for number in range(9)}
    done = spread(tmp_path, "-x", **files)
    assert re.search("stopping after [12] failures", done.stdout), done.stdout + done.stderr
    assert done.returncode == 1
    assert done.stdout.count("FAILED") < 9


def test_what_cannot_be_collected_is_told(tmp_path: Path) -> None:
    done = spread(tmp_path, broken="import nothing_of_that_name\n", right="def test_right(): pass\n")
    assert "nothing_of_that_name" in done.stdout
    assert "1 error" in done.stdout
    assert done.returncode == 2
