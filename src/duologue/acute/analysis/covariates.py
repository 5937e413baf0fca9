"""What is known of dialogues without asking anybody, beside the judgments about them; and what it saved."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from duologue import stats
from duologue.acute.analysis.matchups import Rows
from duologue.acute.settings import CovariateName
from duologue.dialogues import Dialogue
from duologue.errors import DesignError, FormatError
from duologue.judgments import DialogueCovariates, Votes
from duologue.metrics import read_scored_rows, repetition_in, words_of
from duologue.protocols import say_count, say_list, say_percent
from duologue.stats import ControlVariate, Covariates

COVARIATES = {
    "length": lambda texts: math.log1p(sum(len(words_of(text)) for text in texts)),
    "repetition": lambda texts: repetition_in(" ".join(texts)),
}
"""Of what the judged speaker says in a dialogue: the logarithm of one more than its words, so that twice as
many count the same anywhere; and the share of its runs of four words that it has said before."""


def covariates_of_dialogues(
    dialogues: Iterable[Dialogue], names: Sequence[CovariateName]
) -> DialogueCovariates:
    """Covariates of all dialogues that could have been judged."""
    rows = []
    for dialogue in dialogues:
        texts = [turn.text for turn in dialogue.turns if turn.speaker == dialogue.judged]
        rows.append((dialogue.id, dialogue.bot, [COVARIATES[name](texts) for name in names]))
    values = np.array([own for _, _, own in rows], dtype=np.float64).reshape(len(rows), len(names))
    return DialogueCovariates(
        tuple(names), tuple(one for one, _, _ in rows), tuple(bot for _, bot, _ in rows), values
    )


def read_covariates(path: Path, votes: Votes) -> DialogueCovariates:
    """Covariates of a table: columns ``dialogue``, ``bot``, and numbers; a row for each dialogue of a bot.

    Raises:
        FormatError: A column, or a row of a dialogue that was judged, is missing; or a dialogue has two rows.
        DesignError: The judgments do not name their dialogues, or are rankings.
    """
    refuse_rankings(votes, "--covariates")
    if not votes.dialogues:
        raise DesignError(
            "--covariates: the judgments do not say which dialogues they are about. Add the columns "
            "winner_dialogue and loser_dialogue, with the names that the table of covariates has."
        )
    items = read_scored_rows([path]).items
    names = tuple(dict.fromkeys(name for one in items for name in one.scores))
    if not names:
        raise FormatError(path, expected="a column of numbers beside dialogue and bot", got="none")
    found: dict[tuple[str, str], list[float]] = {}
    for number, one in enumerate(items, 1):
        for key in ("dialogue", "bot"):
            if not getattr(one, key):
                raise FormatError(
                    path, field=f"row {number}, {key}", expected=f"the name of the {key}", got="''"
                )
        if missing := [name for name in names if name not in one.scores]:
            raise FormatError(path, field=f"row {number}, {missing[0]}", expected="a number", got="''")
        if (one.bot, one.dialogue) in found:
            raise FormatError(
                path, field=f"row {number}", expected="each dialogue of a bot once", got=repr(one.dialogue)
            )
        found[one.bot, one.dialogue] = [one.scores[name] for name in names]
    for bot, dialogue in _judged(votes):
        if (bot, dialogue) not in found:
            raise FormatError(
                path, expected=f"a row for dialogue {dialogue!r} of {bot}, which was judged", got="none"
            )
    return DialogueCovariates(
        names,
        tuple(dialogue for _, dialogue in found),
        tuple(bot for bot, _ in found),
        np.array(list(found.values()), dtype=np.float64),
    )


def refuse_rankings(votes: Votes, where: str) -> None:
    """Refuse covariates where three dialogues were ranked.

    Raises:
        DesignError: Some judgments are rankings.
    """
    if votes.ranked is not None and votes.ranked.is_ranked.any():
        raise DesignError(
            f"{where}: covariates are not used where three dialogues were ranked: how often verdicts would "
            "err was never tried there. Leave them out."
        )


def _judged(votes: Votes) -> Iterable[tuple[str, str]]:
    """The dialogues that judgments name, each with its bot."""
    for bots, dialogues in ((votes.winner, votes.winner_dialogue), (votes.loser, votes.loser_dialogue)):
        known = dialogues >= 0
        for bot, dialogue in np.unique(np.stack([bots[known], dialogues[known]]), axis=1).T.tolist():
            yield votes.bots[bot], votes.dialogues[dialogue]


def covariates_of_judgments(votes: Votes, rows: Rows, bots: Sequence[str]) -> Covariates | None:
    """The covariates of these judgments and of all other dialogues of the bots; None where there are none.

    Args:
        votes: The judgments.
        rows: Which of them.
        bots: The bots that they are about, in the order of their numbers.
    """
    given = votes.covariates
    if given is None:
        return None
    place = {bot: number for number, bot in enumerate(bots)}
    own = [number for number, bot in enumerate(given.bots) if bot in place]
    if not own:
        return None
    owner = np.array([place[given.bots[number]] for number in own], dtype=np.intp)
    code = {bot: number for number, bot in enumerate(votes.bots)}
    dialogue = {name: number for number, name in enumerate(votes.dialogues)}
    row_of = {
        code[given.bots[number]] * len(votes.dialogues) + dialogue[given.dialogues[number]]: row
        for row, number in enumerate(own)
        if given.dialogues[number] in dialogue
    }
    keys = np.array(sorted(row_of), dtype=np.int64)
    values = np.array([row_of[key] for key in keys.tolist()], dtype=np.intp)

    def find(who: NDArray[np.integer], what: NDArray[np.integer]) -> NDArray[np.intp]:
        wanted = who.astype(np.int64) * len(votes.dialogues) + what
        at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        hit = (what >= 0) & (keys[at] == wanted) if len(keys) else np.zeros(len(wanted), dtype=np.bool_)
        return np.where(hit, values[at] if len(keys) else -1, -1)

    return Covariates(
        given.values[own],
        owner,
        find(votes.winner[rows], votes.winner_dialogue[rows]),
        find(votes.loser[rows], votes.loser_dialogue[rows]),
    )


def say_control(found: ControlVariate, names: Sequence[str]) -> str:
    """What covariates explained and saved, or why they were not used."""
    about = say_list(names)
    if found.why_shut == "few":
        return (
            f"The covariates ({about}) are not used: that needs at least {stats.FEWEST_FOR_COVARIATES} "
            f"judgments and {stats.DIALOGUES_FOR_COVARIATE} judged dialogues for each covariate, and there "
            f"are {say_count(found.n, 'judgment')} about {say_count(found.shown, 'dialogue')} of which they "
            "are known."
        )
    if found.why_shut == "separated":
        return f"The covariates ({about}) are not used: some bot never won, or never lost."
    explain = f"{say_percent(found.explained)} of the variance within matchups"
    low = f"lower end of the {say_percent(stats.GATE_LEVEL, 0)} interval {say_percent(found.low)}"
    if found.why_shut == "weak":
        return (
            f"The covariates ({about}) are not used: they explain {explain} ({low}; at least "
            f"{say_percent(stats.GATE, 0)} is asked for)."
        )
    judged = f"{found.shown:,} of {found.dialogues:,} dialogues of the bots were judged"
    if found.why_shut == "idle":
        return (
            f"The covariates ({about}) explain {explain} ({low}), but are not used, as they would save "
            f"nothing: {judged}. They help where many more dialogues were made than are judged."
        )
    return (
        f"The covariates ({about}) explain {explain} ({low}) and took {say_percent(found.saved)} off the "
        f"variance of a difference, as {say_percent(found.saved / (1 - found.saved))} more judgments would. "
        f"{judged}, and strengths are corrected for these not being average ones of their bot; that one "
        "bot's dialogues are longer, or differ otherwise, is not adjusted away."
    )
