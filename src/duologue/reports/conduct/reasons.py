"""What annotators gave as reasons: by winner, with examples, and which words speak for which bot.

One annotator's habit must not make a word distinctive, and annotators who judge much use more words. So of
every annotator one reason in each group counts for the tests, drawn by the study's seed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np

from duologue.judgments import Row
from duologue.protocols import (
    ONLY_ARM,
    BotReasons,
    DistinctiveWord,
    GroupReasons,
    say_count,
    say_list,
    say_p,
)
from duologue.reports.conduct.by_hand import HandExclusions, exclusions_by_hand
from duologue.screening import is_never_counted, words_apart
from duologue.stats import fisher_p_values, holm
from duologue.store import (
    GivenReason,
    ReasonQuery,
    Store,
    data_lines,
    fetch_judged_batches,
    fetch_progress,
    fetch_reasons,
    note_look,
    wins_of,
)
from duologue.studies import Study

LEAST_USERS = 3
"""Words that fewer of the drawn annotators use are not tested: they could not be distinctive."""

WORDS_SHOWN = 10
"""Of each bot, at most."""

LISTED_BELOW = 0.2
"""Words with a larger p-value tell nothing, and are only counted."""

EXAMPLES = 3
"""Of each bot."""

MOST_READ = 100_000
"""Of more reasons only these are read: the first ones."""

ALPHA = 0.05
TIE = ""


@dataclass(slots=True)
class _LabelledReason:
    """A reason that counts, for one bot."""

    annotator: str
    label: str
    text: str


@dataclass(slots=True)
class _Group:
    said: list[_LabelledReason] = field(default_factory=list)
    left_out: int = 0


def find_reasons(study: Study, store: Store, by_hand: HandExclusions) -> tuple[GroupReasons, ...]:
    """The reasons of every group and arm, of judgments that the verdicts count.

    Where bots are compared, they are grouped by winner within a group; where they are rated, by bot.

    Args:
        study: The study.
        store: Its database.
        by_hand: What a researcher excluded; the verdicts count what no declared rule excludes.
    """
    protocol, all_the_same = study.protocol, by_hand.counted
    kinds: dict[tuple[object, ...], int] = {}
    kept: list[GivenReason] = []
    more: Counter[tuple[str, str]] = Counter()
    for one in store.stream(fetch_reasons()):
        is_by_design = one.role != "judged" or is_never_counted(one.excluded)
        if is_by_design or (one.excluded and one.judgment not in all_the_same):
            continue
        if len(kept) == MOST_READ:
            more[one.arm, one.group] += 1
            continue
        kept.append(one)
        kinds.setdefault(one.kind, one.n)
    wins = wins_of(study, store, kinds)
    groups: defaultdict[tuple[str, str], _Group] = defaultdict(_Group)
    for one in kept:
        win = wins[one.kind]
        compares = protocol.rivals(one.group) is not None
        if compares and win is None:
            continue
        label = protocol.say_group(one.group) if win is None else TIE if win.is_tie else win.winner
        groups[one.arm, one.group if compares else ""].said.append(
            _LabelledReason(one.annotator, label, one.text)
        )
    for (arm, group), count in more.items():
        groups[arm, group if protocol.rivals(group) is not None else ""].left_out += count
    return tuple(
        _found(study, arm, group, found) for (arm, group), found in sorted(groups.items()) if found.said
    )


def find_reasons_of(study: Study, store: Store) -> tuple[GroupReasons, ...]:
    """`find_reasons` by itself, which is a look at the results."""
    by_hand = exclusions_by_hand(study, store)
    found = find_reasons(study, store, by_hand)
    _note_look(store)
    return found


def search_reasons(study: Study, store: Store, text: str) -> list[Row]:
    """Every reason that holds a text, with who won and what excludes it: a look at the results too."""
    given = [one for one in store.stream(fetch_reasons(ReasonQuery(text))) if one.role == "judged"]
    kinds: dict[tuple[object, ...], int] = {}
    for one in given:
        kinds.setdefault(one.kind, one.n)
    wins = wins_of(study, store, kinds)
    _note_look(store)
    return [
        {
            "judgment": one.judgment,
            "annotator": one.annotator,
            "arm": one.arm,
            "group": study.protocol.say_group(one.group),
            "bot": "" if (win := wins[one.kind]) is None or win.is_tie else win.winner,
            "is_tie": win is not None and win.is_tie,
            "reason": one.text,
            "excluded": one.excluded,
            "at": one.at,
        }
        for one in given
    ]


def _note_look(store: Store) -> None:
    digest = sha256()
    for batch in store.stream(fetch_judged_batches()):
        digest.update(data_lines(batch))
    if any(one.done for one in store.run(fetch_progress())):
        note_look(store, "reasons", data=digest.hexdigest())


def _found(study: Study, arm: str, group: str, found: _Group) -> GroupReasons:
    rng = np.random.default_rng(np.random.SeedSequence([study.seed, *f"reasons\0{arm}\0{group}".encode()]))
    labels = _labels(study, group, found.said)
    by_label = {label: [one for one in found.said if one.label == label] for label in labels}
    drawn = _one_each(found.said, rng)
    sides = tuple(
        BotReasons(
            label,
            len(said),
            len({one.annotator for one in said}),
            sum(one.label == label for one in drawn),
            tuple(said[place].text for place in _some(len(said), rng)),
        )
        for label, said in by_label.items()
    )
    bots = [label for label in labels if label != TIE]
    words, tested = distinctive_words(
        [(one.label, frozenset(words_apart(one.text))) for one in drawn if one.label != TIE],
        [(one.label, frozenset(words_apart(one.text))) for one in found.said if one.label != TIE],
        bots,
    )
    name = study.protocol.say_group(group) if group else "all bots"
    name = name if arm == ONLY_ARM else f"{name} (arm {arm})"
    return GroupReasons(
        arm,
        group,
        name,
        sides,
        words,
        tested,
        found.left_out,
        _sentence(name, sides, words, tested, about="for" if group else "about"),
    )


def _labels(study: Study, group: str, said: Iterable[_LabelledReason]) -> list[str]:
    """The bots in question, those nobody preferred too, and a tie last where there is one."""
    there = {one.label for one in said}
    rivals = study.protocol.rivals(group) if group else None
    compared = rivals if rivals and rivals[0] != rivals[1] else ()  # a bot against itself is told by side
    bots = sorted({*compared, *there} - {TIE})
    return [*bots, *([TIE] if TIE in there else [])]


def _one_each(said: Sequence[_LabelledReason], rng: np.random.Generator) -> list[_LabelledReason]:
    """One reason of every annotator."""
    theirs: defaultdict[str, list[_LabelledReason]] = defaultdict(list)
    for one in said:
        theirs[one.annotator].append(one)
    return [own[int(rng.integers(len(own)))] for _who, own in sorted(theirs.items())]


def _some(count: int, rng: np.random.Generator) -> list[int]:
    return sorted(rng.choice(count, size=min(EXAMPLES, count), replace=False).tolist()) if count else []


Used = Sequence[tuple[str, frozenset[str]]]
"""Reasons: for which bot, and the words they have."""


def distinctive_words(
    drawn: Used, everything: Used, bots: Sequence[str]
) -> tuple[tuple[DistinctiveWord, ...], int]:
    """Which words reasons for one bot have more often than others, and how many words were tested.

    Fisher's exact test of each word that enough annotators use, Holm over all of them. With two bots, reasons
    for one are compared with those for the other; with more, those for each with those for all others.

    Args:
        drawn: One reason of each annotator; the test is on these.
        everything: All reasons, for their counts.
        bots: Whose words are wanted.
    """
    users = Counter(word for _bot, words in drawn for word in words)
    vocabulary = sorted(word for word, count in users.items() if count >= LEAST_USERS)
    found: list[tuple[str, str, int, int, int, int, float]] = []
    for bot in bots[:1] if len(bots) == 2 else bots:
        with_bot = Counter(word for one, words in drawn if one == bot for word in words)
        n = sum(one == bot for one, _words in drawn)
        m = len(drawn) - n
        if not (n and m):
            continue
        first = [with_bot[word] for word in vocabulary]
        second = [users[word] - with_bot[word] for word in vocabulary]
        p_values = fisher_p_values(first, n, second, m).tolist()
        rows = zip(vocabulary, first, second, p_values, strict=True)
        found += [(word, bot, one, n, other, m, p) for word, one, other, p in rows]
    adjusted = holm([row[-1] for row in found]) if found else ()
    given: Counter[tuple[str, str]] = Counter((bot, word) for bot, words in everything for word in words)
    in_all = Counter(word for _bot, words in everything for word in words)
    words = []
    for (word, bot, one, n, other, m, p), p_adjusted in zip(found, adjusted, strict=True):
        turned = len(bots) == 2 and one * m < other * n
        if turned:
            bot, one, n, other, m = bots[1], other, m, one, n
        if one * m > other * n and p <= LISTED_BELOW:
            own = given[bot, word]
            words.append(
                DistinctiveWord(
                    word, bot, one, n, other, m, own, in_all[word] - own, float(p), float(p_adjusted)
                )
            )
    words.sort(key=lambda one: (one.p_value, -one.annotators, one.word))
    shown: Counter[str] = Counter()
    kept = []
    for one_word in words:
        shown[one_word.bot] += 1
        if shown[one_word.bot] <= WORDS_SHOWN:
            kept.append(one_word)
    return tuple(kept), len(found)


def _sentence(
    name: str, sides: Sequence[BotReasons], words: Sequence[DistinctiveWord], tested: int, *, about: str
) -> str:
    """What was found; where nothing is compared with a winner, reasons are about what was judged."""
    total = say_count(sum(one.judgments for one in sides), "reason")
    counts = say_list(f"{one.judgments:,} {about} {one.label or 'no difference'}" for one in sides)
    said = f"{name}: {total}, {counts}."
    if not tested:
        return f"{said} Too few annotators gave reasons to test any word."
    sure = [one for one in words if one.p_adjusted <= ALPHA]
    if not sure:
        return f"{said} No word is distinctive ({say_count(tested, 'word')} tested)."
    listed = say_list(
        f"“{one.word}” for {one.bot} ({one.annotators:,} of {one.of:,} annotators, otherwise "
        f"{one.annotators_otherwise:,} of {one.of_otherwise:,}; adjusted {say_p(one.p_adjusted)})"
        for one in sure[:3]
    )
    return f"{said} Distinctive: {listed}."


def reason_tables(found: Sequence[GroupReasons]) -> Iterable[tuple[str, list[Row]]]:
    """``reasons.csv``, with how many there are and examples, and ``reason-words.csv``."""
    if not found:
        return
    yield (
        "reasons.csv",
        [
            {
                "arm": one.arm,
                "group": one.group,
                "bot": side.label,
                "judgments": side.judgments,
                "annotators": side.annotators,
                **{
                    f"example_{number + 1}": side.examples[number] if number < len(side.examples) else ""
                    for number in range(EXAMPLES)
                },
            }
            for one in found
            for side in one.sides
        ],
    )
    yield (
        "reason-words.csv",
        [
            {
                "arm": one.arm,
                "group": one.group,
                "bot": word.bot,
                "word": word.word,
                "annotators": word.annotators,
                "of": word.of,
                "annotators_otherwise": word.annotators_otherwise,
                "of_otherwise": word.of_otherwise,
                "judgments": word.judgments,
                "judgments_otherwise": word.judgments_otherwise,
                "p": word.p_value,
                "p_adjusted": word.p_adjusted,
                "words_tested": one.tested,
            }
            for one in found
            for word in one.words
        ],
    )


def reason_lines(found: Sequence[GroupReasons]) -> Iterable[str]:
    """The same for the terminal."""
    for one in found:
        yield one.sentence
        for side in one.sides:
            of_bot = [word for word in one.words if word.bot == side.label]
            yield f"  {side.label or 'no difference'}: {say_count(side.judgments, 'reason')}"
            if of_bot:
                yield "    words: " + ", ".join(
                    f"{word.word} ({word.annotators} of {word.of}, otherwise {word.annotators_otherwise} of "
                    f"{word.of_otherwise}; adjusted {say_p(word.p_adjusted)})"
                    for word in of_bot
                )
            yield from (f"    · {' '.join(text.split())}" for text in side.examples)
