"""The per-turn paper, Tables 3, 4 and 6: turns with the printed counts, analysed as rows.

The paper takes turns as independent, so every turn is a dialogue here and the naive tests decide. Table 5
prints statistics without the counts behind them; its p-values and their errors are re-derived in tests/stats.
"""

from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from duologue.per_turn import PerTurnResults, TurnQuestion, TurnRow, analyse_turns, without_positions
from tests.per_turn.chats import row
from tests.stats.golden import golden_rows

SETTINGS = {"SOBA": "soba", "SATA-R": "sata-random", "SATA-U": "sata-user"}
CHI_SQUARES = {
    ("TCS", "SATA-R"): 7.76,
    ("TCS", "SATA-U"): 10.67,
    ("WoW", "SATA-R"): 3.02,
    ("WoW", "SATA-U"): 2.68,
    ("M", "SATA-R"): 11.24,
    ("M", "SATA-U"): 12.02,
}
"""McNemar's without correction, from the printed percentages (not rounded to whole turns)."""


def turns(
    counts: Mapping[tuple[bool, ...], int], bots: tuple[str, ...], setting: str | None
) -> list[TurnRow]:
    """Rows with these counts; the tables do not say at which positions the bots were."""
    made = (chosen for chosen, count in counts.items() for _ in range(count))
    return [
        without_positions(
            row(dict(zip(bots, chosen, strict=True)), dialogue=f"d{number}", turn=2, setting=setting)  # type: ignore[arg-type]
        )
        for number, chosen in enumerate(made)
    ]


def analysed(rows: list[TurnRow]) -> PerTurnResults:
    return analyse_turns(rows, TurnQuestion(rules=(), draws=9))


def pairwise_counts(line: Mapping[str, str]) -> dict[tuple[bool, ...], int]:
    n, base, bot = int(line["turns"]), float(line["baseline_percent"]), float(line["bot_percent"])
    win, loss = float(line["tie_win_percent"] or 0), float(line["tie_loss_percent"] or 0)
    only = (base - win, bot - win) if line["setting"] != "SOBA" else (base, bot)
    counts = [round(n * share / 100) for share in (*only, win, loss)]
    counts[3 if win else 0] += n - sum(counts)  # rounded percentages
    return dict(zip([(True, False), (False, True), (True, True), (False, False)], counts, strict=True))


@pytest.mark.parametrize(
    "line", golden_rows("per_turn_table_3.csv"), ids=lambda line: "-".join([*line.values()][:2])
)
def test_the_stars_of_table_3_are_our_verdicts(line: Mapping[str, str]) -> None:
    name, setting = line["bot_vs_GPT2XL-BST"], line["setting"]
    results = analysed(turns(pairwise_counts(line), ("BST", name), SETTINGS[setting]))
    (pair,) = results.sections[0].pairs
    assert pair.turns == int(line["turns"])
    assert pair.tested.decided_by == "naive"
    assert (pair.verdict.better == "BST") == (line["significant"] == "1")
    if setting != "SOBA":
        assert pair.chi_square == pytest.approx(CHI_SQUARES[name, setting], abs=0.6)  # whole turns
        assert 100 * pair.tie_win_rate == pytest.approx(float(line["tie_win_percent"]), abs=0.5)


@pytest.mark.parametrize(
    ("wins", "turns_", "p"), [(123, 199, 0.00105937), (122, 198, 0.00132428), (120, 197, 0.00267675)]
)
def test_the_p_values_of_soba_in_table_3(wins: int, turns_: int, p: float) -> None:
    counts: dict[tuple[bool, ...], int] = {(True, False): wins, (False, True): turns_ - wins}
    (pair,) = analysed(turns(counts, ("BST", "x"), "soba")).sections[0].pairs
    assert pair.tested.p_value == pytest.approx(p, rel=1e-5)


def test_the_star_of_soba_in_table_4_depends_on_how_its_percentages_were_rounded() -> None:
    bots = ("BST", "M", "TCS", "WoW")
    found = {}
    for counts in soba_counts():
        chosen = {tuple(at == one for at in range(4)): count for one, count in enumerate(counts)}
        section = analysed(turns(chosen, bots, "soba")).sections[0]
        assert section.all_bots is not None
        found[counts] = section.all_bots.tested.p_value
        if len(found) == 2:
            break
    first, last = found.values()
    assert first is not None
    assert last is not None
    assert first < 0.05 < last


def soba_counts() -> Iterator[tuple[int, ...]]:
    """The vectors that round to 28/19/27/25 of 436: the most and the least uneven one."""
    printed = (28, 25, 19, 27)  # BST, M, TCS, WoW
    near = [[count for count in range(437) if round(100 * count / 436) == share] for share in printed]
    fitting = [one for one in product(*near) if sum(one) == 436]
    unevenness = {one: sum((count - 109) ** 2 for count in one) for one in fitting}
    yield max(unevenness, key=unevenness.__getitem__)
    yield min(unevenness, key=unevenness.__getitem__)


@pytest.mark.parametrize("line", golden_rows("per_turn_table_6.csv"), ids=lambda line: line["bot"])
def test_table_6_prints_the_normal_intervals_of_its_counts(line: Mapping[str, str]) -> None:
    wins = {"BST": 111, "TCS": 106, "WoW": 104, "M": 120}[line["bot"]]
    n = int(line["turns"])
    section = analysed(turns({(True,): wins, (False,): n - wins}, (line["bot"],), None)).sections[0]
    (against,) = section.against
    assert round(100 * section.bots[0].rate) == int(line["win_percent"])
    assert round(against.normal_interval.low, 2) == float(line["ci_low"])
    assert round(against.normal_interval.high, 2) == float(line["ci_high"])
    assert against.null == 0.8
    assert (against.verdict.better is not None) == (line["bot"] == "M")
