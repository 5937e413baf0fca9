"""What pairs gain that began alike: simulated with the pairings that are made, and measured on USR."""

import itertools
import json
from pathlib import Path

import numpy as np

STUDIES, PAIRINGS, DIALOGUES, OPENERS = 4_000, 110, 110, 20
DIFFICULTY = (0.1, 0.3)
"""The share of the variance of a dialogue's quality that is its opener's."""
QUALITY = 0.58
"""Its variance, where that of an annotator's taste is 1: two annotators of the same pair agree in 68 %."""
GAP = 0.45
USR = Path(__file__).parents[2] / "shared" / "data" / "usr"
DRAWS = 2_000


def main() -> dict[str, object]:
    """Win rate, judgments that are needed, power and error rate by share; then what USR's contexts share."""
    found: dict[str, object] = {}
    for share in DIFFICULTY:
        for same in (True, False):
            for name, matched in (("matched", True), ("at random", False)):
                openers = "the same openers for both bots" if same else "openers of each bot drawn at random"
                key = f"openers make {share:.0%} of the variance, {openers}, pairs {name}"
                found[key] = _simulated(share, same=same, matched=matched)
    if not USR.is_dir():
        return found | {"usr": f"not measured: there is no {USR}"}
    for name in ("tc", "pc"):
        for quality in ("Overall", "Engaging"):
            found[f"usr {name}, {quality}"] = _usr(USR / f"{name}_usr_data.json", quality)
    return found


def _simulated(share: float, *, same: bool, matched: bool) -> str:
    from duologue.acute import PairingSettings, pair_dialogues
    from duologue.dialogues import DialogueIndex
    from duologue.stats import judgments_for_forced_choice, sign_test

    rng = np.random.default_rng(1)
    heads = [
        DialogueIndex(f"{bot}{number:03d}", bot, "self-chat", "x")
        for bot in "ab"
        for number in range(DIALOGUES)
    ]
    settings = PairingSettings(per_matchup=PAIRINGS)
    won: dict[float, list[float]] = {GAP: [], 0.0: []}
    decided = {GAP: 0, 0.0: 0}
    for study in range(STUDIES):
        opener = (
            np.arange(len(heads)) % DIALOGUES % OPENERS if same else rng.integers(OPENERS, size=len(heads))
        )
        starts = {
            head.id: (None, None, None, bytes([number])) for head, number in zip(heads, opener, strict=True)
        }
        difficulty = rng.normal(0, (share * QUALITY) ** 0.5, OPENERS)
        own = rng.normal(0, ((1 - share) * QUALITY) ** 0.5, len(heads))
        good = dict(zip((head.id for head in heads), difficulty[opener] + own, strict=True))
        pairs = pair_dialogues(heads, settings, seed=study, starts=starts if matched else None)
        ahead = np.array([good[one] - good[other] for one, other in (pair.dialogues for pair in pairs)])
        heard = rng.normal(size=PAIRINGS)
        for gap in won:
            wins = int((ahead + gap + heard > 0).sum())
            won[gap].append(wins / PAIRINGS)
            decided[gap] += sign_test(wins, PAIRINGS - wins).p_value < 0.05
    rate = float(np.mean(won[GAP]))
    return (
        f"win rate {rate:.3f}, sd between studies {np.std(won[0.0]):.4f}, "
        f"{judgments_for_forced_choice(2 * rate - 1).judgments} judgments for 80 % power; "
        f"of {PAIRINGS}: power {decided[GAP] / STUDIES:.3f}, error rate {decided[0.0] / STUDIES:.3f}"
    )


def _usr(path: Path, quality: str) -> str:
    """By how much the variance of a difference falls when both responses are to the same context."""
    contexts = json.loads(path.read_text(encoding="utf-8"))
    rated = [
        {one["model"]: [float(rating) for rating in one[quality]] for one in context["responses"]}
        for context in contexts
    ]
    names = sorted(rated[0])
    means = np.array([[np.mean(one[name]) for name in names] for one in rated])
    singles = np.array([[one[name][0] for name in names] for one in rated])
    rng = np.random.default_rng(1)
    drawn = [_less(means[rng.integers(len(means), size=len(means))]) for _ in range(DRAWS)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return (
        f"{_less(means):.1%} less variance of the difference of two systems [{low:.1%}, {high:.1%}], means "
        f"of 3 annotators, {len(means)} contexts, {len(names)} systems; one annotator {_less(singles):.1%}"
    )


def _less(scores: np.ndarray) -> float:
    """One minus variance of differences within a context ÷ that between contexts, all pairs pooled."""
    same = other = 0.0
    for one, two in itertools.combinations(range(scores.shape[1]), 2):
        same += float(np.var(scores[:, one] - scores[:, two], ddof=1))
        other += float(np.var(scores[:, one], ddof=1) + np.var(scores[:, two], ddof=1))
    return 1 - same / other
