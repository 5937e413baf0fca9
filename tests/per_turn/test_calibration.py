"""Whole studies over pages, store, screening and tests: what they err, and whether planned gaps are found.

Annotators walk the real pages of one study with every mechanism and setting as its arms. They differ in what
they like, so that turns of one chat correlate by about .1. The fast twin, on rows without pages, is in
`test_analysis`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import duologue.per_turn.rehearsal as rehearsing
from duologue.per_turn import PerTurnResults, Setting
from duologue.per_turn.power import arm_design
from duologue.per_turn.settings import mechanism_of
from duologue.rehearsal import rehearse
from duologue.reports import analyse_study
from duologue.stats import ClusteredDesign, DesignEffect, sample_size
from duologue.store import open_store
from duologue.studies import load_study
from tests.per_turn.test_design import study

pytestmark = pytest.mark.slow

TASTE = 0.7
"""In logits: a variance of .03 between chats around a rate of one half, of .25 in all."""

STUDIES = 6
EXCHANGES = 5
TWO, THREE = ("companion", "small-talk"), ("companion", "small-talk", "third")
ARMS: dict[str, tuple[tuple[str, ...], Setting | None]] = {
    "pairs": (TWO, "sata-user"),
    "pm-random": (TWO, "sata-random"),
    "pm-soba": (TWO, "soba"),
    "mm-user": (THREE, "sata-user"),
    "mm-random": (THREE, "sata-random"),
    "mm-soba": (THREE, "soba"),
    "sm": (("parrot",), None),
}
BOT = '[[bots]]\nname = "third"\nkind = "python"\ncall = "third:say"\n'


def planned_chats(arm: str, gap: float) -> int:
    """As many as the planner says for a power of .8 at an ICC of .1."""
    bots, setting = ARMS[arm]
    design = arm_design(mechanism_of(bots), setting, len(bots), alpha=0.05, tests=1, null=0.8)
    counted = EXCHANGES - 1  # without first turns
    effect = DesignEffect(icc=0.1, cluster_size=counted)
    needed = sample_size(ClusteredDesign(design=design, effect=effect), gap, power=0.8).judgments
    return -(-needed // counted)


def different(folder: Path, seed: int, chats: dict[str, int], stated: list[str]) -> Counter[str]:
    """The arms of one rehearsed study in which bots are told apart, each by itself."""
    tables = [
        f'[[per-turn.arms]]\nname = "{arm}"\nbots = {list(bots)!r}\nchats = {chats[arm]}\n'
        + (f'setting = "{setting}"\n' if setting else "")
        for arm, (bots, setting) in ARMS.items()
        if arm != "pairs"
    ]
    made = study(
        folder,
        *tables,
        BOT,
        chats_per_bot=str(chats["pairs"]),
        min_exchanges=str(EXCHANGES),
        max_exchanges=str(EXCHANGES),
    )
    (folder / "third.py").write_text(
        "def say(messages):\n    return 'Let us say: ' + messages[-1]['content'][:60]\n", encoding="utf-8"
    )
    found = rehearse(
        made.folder,
        annotators=2 * max(chats.values()),
        seed=seed,
        stated={"appropriate": stated},
        with_report=False,
    )
    assert [check.rule for check in found.rules if not check.has_held] == []
    copy = load_study(found.folder)
    with open_store(copy.database) as store:
        results = analyse_study(copy, store).results
    assert isinstance(results, PerTurnResults)
    told: Counter[str] = Counter()
    for section in results.sections:
        compared = [*(pair.tested for pair in section.pairs), *(one.tested for one in section.against)]
        if section.all_bots is not None:
            compared = [section.all_bots.tested]
        told[section.arm] += any(one.p_value is not None and one.p_value <= 0.05 for one in compared)
    return told


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("is_mixed", [True, False])
def test_equal_bots_are_rarely_told_apart_over_the_real_pages(
    is_mixed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where some are careless; what they select moves a single bot from its standard, so not of that."""
    monkeypatch.setattr(rehearsing, "TASTE", TASTE)
    if not is_mixed:
        monkeypatch.setattr(rehearsing.PerTurnRehearsal, "mix", {"careful": 1.0})
    stated = ["companion=0.5", "small-talk=0.5", "third=0.5", "parrot=0.82"]  # 0.8 over all tastes
    told: Counter[str] = Counter()
    for seed in range(STUDIES):
        told += different(tmp_path / str(seed), seed, dict.fromkeys(ARMS, 10), stated)
    if is_mixed:
        del told["sm"]
    studies = STUDIES * (len(ARMS) - is_mixed)
    print("told apart:", dict(told), "of", STUDIES)
    assert told.total() <= 0.05 * studies + 2.6 * (0.05 * 0.95 * studies) ** 0.5


@pytest.mark.timeout(3600)
def test_planned_gaps_are_found_over_the_real_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsing, "TASTE", TASTE)
    monkeypatch.setattr(rehearsing.PerTurnRehearsal, "mix", {"careful": 1.0})
    chats = {arm: planned_chats(arm, 0.35 if arm == "sm" else 0.4) for arm in ARMS}
    stated = ["companion=0.75", "small-talk=0.3", "third=0.3", "parrot=0.45"]
    told: Counter[str] = Counter()
    for seed in range(STUDIES):
        told += different(tmp_path / str(seed), seed, chats, stated)
    print("found:", dict(told), "of", STUDIES, "with", chats)
    studies = STUDIES * len(ARMS)
    assert told.total() >= 0.8 * studies - 2.6 * (0.16 * studies) ** 0.5
