"""Sentences that readers did not understand do not come back: neither in the program nor in its docs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
READ = sorted(
    [
        *(ROOT / "src").rglob("*.py"),
        *(ROOT / "src").rglob("*.html"),
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "README.md",
    ]
)

NOT_BUT = {
    r"p-values hold only": "These p-values are valid only if you collect all planned judgments.",
    r"when the numbers please": "If you stop when you like the result, the test is no longer valid.",
    r"rock-paper-scissors": "no cycles (A > B > C > A)",
    r"finish like anyone": "can finish, but their answers are excluded",
    r"truly [\d{][^ ]* ?%?,? (and|found)": "true rate 95 %, estimated 88 %",
    r"past such a line": "Hold the advisory lock until this transaction ends.",
    r"that nobody holds is done": "Fill the slot if it is free; return whether it was.",
    r"one by lot|then by lot": "ties are broken at random",
    r"do(es)? not add up to an order": "Not all bots can be ranked",
    r"[Oo]ne strength for each bot (does not )?explains?": "The ranking model fits (p = 0.276).",
    r"had\s+gone the other way, \S+ would": "changing 5 of 336 judgments would put meena first",
    r"(would be|are) (another|others) (without|now|each time|:)": "would change, have changed",
    r"lost on the way": "not analysed",
    r"gather at some": "are concentrated in some annotators",
    r"it cannot be told": "is not known; cannot be separated",
    r"\b[Cc]ame by\b": "recruited via",
    r"Median s\b": "Median seconds",
    r">Leases?d?<|\"Leases\"": "In progress",
}
"""What is never written, and what is."""


@pytest.mark.parametrize("phrase", NOT_BUT)
def test_a_sentence_that_nobody_understood_is_not_written(phrase: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in READ
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(phrase, line)
    ]
    assert not found, f"write instead: {NOT_BUT[phrase]}\n" + "\n".join(found)
