"""A study of a million judgments, made fast: files as a researcher has them, judgments by direct inserts."""

from __future__ import annotations

import itertools
import random
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from duologue.dialogues import Dialogue, Speaker, Turn, write_dialogues
from duologue.protocols import Item, item_of, write_items
from duologue.store import give_consent, invite_annotators, open_store
from duologue.store.researcher.tallies import kind_of
from duologue.studies import load_study

BOTS = 5
GROUPS = list(itertools.combinations(range(BOTS), 2))
REASON = "The second one listened, asked back, and did not repeat itself"
STUDY = """[study]
name = "million"
seed = 1
[onboarding]
enabled = false
[stopping]
rule = "sequential"
[annotators]
max_judgments = {most}
"""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a study is; every pairing is judged once."""

    annotators: int
    per_group: int
    """Judgments of one annotator in each matchup."""

    @property
    def pairings(self) -> int:
        """Pairings of one matchup."""
        return self.annotators * self.per_group

    @property
    def judgments(self) -> int:
        """Judgments in all."""
        return self.pairings * len(GROUPS)

    @property
    def per_annotator(self) -> int:
        """Judgments of one annotator."""
        return self.per_group * len(GROUPS)

    @property
    def dialogues(self) -> int:
        """Dialogues of one bot; an annotator meets none of them twice."""
        return max(self.pairings // 5, len(GROUPS) * self.per_group)


def write_study(folder: Path, size: Size) -> None:
    """The study file, the dialogues and the pairings."""
    (folder / "dialogues").mkdir(parents=True)
    (folder / "study.toml").write_text(STUDY.format(most=size.per_annotator))
    for bot in range(BOTS):
        write_dialogues(_dialogues(bot, size.dialogues), folder / "dialogues" / f"bot-{bot}.jsonl")
    write_items(_pairings(size), load_study(folder).items_path)


def _dialogues(bot: int, count: int) -> Iterator[Dialogue]:
    speakers = (Speaker("a", f"bot-{bot}"), Speaker("b"))
    for number in range(count):
        turns = tuple(
            Turn("ab"[turn % 2], f"What I meant to say in turn {turn} of dialogue {number} is simple enough.")
            for turn in range(6)
        )
        yield Dialogue(f"d-{bot}-{number}", f"bot-{bot}", "self-chat", "a", speakers, turns)


def _pairings(size: Size) -> Iterator[Item]:
    shift = size.dialogues // len(GROUPS)
    for place, (one, other) in enumerate(GROUPS):
        bots = (f"bot-{one}", f"bot-{other}")
        for number in range(size.pairings):
            dialogue = (number + place * shift) % size.dialogues
            yield Item(
                f"p-{one}-{other}-{number}",
                "__vs__".join(bots),
                bots,
                (f"d-{one}-{dialogue}", f"d-{other}-{dialogue}"),
                ("a", "a"),
            )


def add_judgments(path: Path, size: Size) -> None:
    """Judge every pairing once, as if by the pages: some excluded, some in progress."""
    rng = random.Random(1)
    start = datetime(2026, 1, 1, tzinfo=UTC)

    def at(seconds: float) -> str:
        return (start + timedelta(seconds=seconds)).isoformat(timespec="microseconds")

    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA cache_size=-262144")
        database.execute("BEGIN IMMEDIATE")
        slots = {
            item: (slot, quota, shown)
            for slot, quota, item, shown in database.execute("SELECT n, quota, item, shown FROM slots")
        }
        database.executemany(
            "INSERT INTO annotators (n, id, token, code, label, kind, arm, invited_at, consented_at, "
            "last_seen, judged) VALUES (?, ?, ?, ?, ?, 'lab', 'main', ?, ?, ?, ?)",
            (
                (
                    n,
                    f"{n:016x}",
                    f"{n:032x}",
                    f"C{n}",
                    f"Annotator {n}",
                    at(n),
                    at(n),
                    at(n + 9_000),
                    size.per_annotator,
                )
                for n in range(1, size.annotators + 1)
            ),
        )

        def order() -> Iterator[tuple[int, int]]:
            """Annotator and item of each judgment, in the order they came."""
            for turn, place in itertools.product(range(size.per_group), range(len(GROUPS))):
                for annotator in range(size.annotators):
                    yield annotator + 1, place * size.pairings + annotator * size.per_group + turn + 1

        def assignments() -> Iterator[tuple[object, ...]]:
            for n, (annotator, item) in enumerate(order(), 1):
                slot, _quota, shown = slots[item]
                number = (n - 1) // size.annotators + 1
                key = f"{rng.getrandbits(128):032x}"
                yield n, key, annotator, item, slot, shown, number, at(n), at(n + 1800)

        database.executemany(
            "INSERT INTO assignments (n, key, annotator, item, slot, arm, shown, revision, number, total, "
            f"state, leased_at, expires_at) VALUES (?, ?, ?, ?, ?, 'main', ?, 1, ?, {size.per_annotator}, "
            "'judged', ?, ?)",
            assignments(),
        )

        def judgments() -> Iterator[tuple[object, ...]]:
            for n, (annotator, item) in enumerate(order(), 1):
                slot, quota, shown = slots[item]
                side = "null" if rng.random() < 0.05 else 1 + (rng.random() < 0.45)
                identity = f"{rng.getrandbits(64):016x}"
                seconds = round(rng.gammavariate(4, 6), 3)
                yield (
                    n, identity, n, annotator, item, slot, quota, f'{{"side":{side}}}', shown, seconds,
                    identity, at(n + seconds),
                )  # fmt: skip

        database.executemany(
            "INSERT INTO judgments (n, id, assignment, annotator, item, slot, quota, arm, revision, answer, "
            "shown, seconds, seconds_kind, key, at, is_correct) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, 'main', 1, ?, ?, ?, 'visible', ?, ?, NULL)",
            judgments(),
        )

        def has_reason(n: int) -> bool:
            """Every annotator gives reasons, for nine judgments of ten."""
            return (n + n // size.annotators) % 10 != 0

        database.executemany(
            "INSERT INTO reasons (judgment, text) VALUES (?, ?)",
            ((n, f"{REASON} ({n}).") for n in range(1, size.judgments + 1) if has_reason(n)),
        )
        database.execute(
            "INSERT INTO seen_dialogues SELECT annotator, dialogue FROM judgments "
            "JOIN item_dialogues ON item_dialogues.item = judgments.item ORDER BY 1, 2"
        )
        database.execute(
            "INSERT INTO judged_quotas SELECT annotator, quota, count(*) FROM judgments GROUP BY 1, 2"
        )
        _set_aside(database, range(50, size.judgments + 1, 50), at(size.judgments))
        _count(database)
        database.execute("COMMIT")
        database.execute("ANALYZE")


def _set_aside(database: sqlite3.Connection, numbers: Iterable[int], at: str) -> None:
    """Exclude some judgments: their places are free again, and some of those are handed out."""
    rows = list(enumerate(numbers, 1))
    database.executemany(
        "INSERT INTO exclusions (n, id, judgment, action, rule, reason, by, at) "
        "VALUES (?, ?, ?, 'exclude', 'researcher', 'not read with care', 'benchmark', ?)",
        ((n, f"{n:016x}", judgment, at) for n, judgment in rows),
    )
    database.executemany(
        "INSERT INTO rules_in_force (judgment, rule, exclusion) VALUES (?, 'researcher', ?)",
        ((judgment, n) for n, judgment in rows),
    )


def _count(database: sqlite3.Connection) -> None:
    """Slots and counters as the judgments say."""
    database.execute("CREATE TEMP TABLE counting (slot INTEGER PRIMARY KEY, judgment INTEGER)")
    database.execute(
        "INSERT INTO counting SELECT slot, n FROM judgments "
        "WHERE n NOT IN (SELECT judgment FROM rules_in_force)"
    )
    database.execute(
        "UPDATE slots SET state = 'done', judgment = (SELECT judgment FROM counting WHERE slot = slots.n) "
        "WHERE n IN (SELECT slot FROM counting)"
    )
    database.execute(
        "UPDATE quotas SET (free, done) = (SELECT sum(state = 'free'), sum(state = 'done') FROM slots "
        "WHERE quota = quotas.n), excluded = (SELECT count(*) FROM judgments JOIN rules_in_force "
        "ON rules_in_force.judgment = judgments.n WHERE judgments.quota = quotas.n)"
    )
    database.execute(
        "UPDATE annotators SET excluded = (SELECT count(*) FROM judgments JOIN rules_in_force "
        "ON rules_in_force.judgment = judgments.n WHERE judgments.annotator = annotators.n)"
    )
    alike = database.execute(
        "SELECT j.quota, min(j.n), j.revision, items.body, j.shown, j.answer, count(*) FROM counting "
        "JOIN judgments AS j ON j.n = counting.judgment JOIN items ON items.n = j.item "
        "GROUP BY j.quota, j.revision, j.shown, j.answer"
    ).fetchall()
    database.executemany(
        "INSERT INTO tallies (quota, kind, example, done) VALUES (?, ?, ?, ?)",
        (
            (
                quota,
                kind_of(revision=revision, bots=item_of(body).bots, shown=shown, answer=answer),
                example,
                done,
            )
            for quota, example, revision, body, shown, answer, done in alike
        ),
    )
    database.execute("UPDATE arms SET annotators = (SELECT count(*) FROM annotators)")


def lease_some(study: Path, count: int) -> None:
    """Let some more annotators come, each with an assignment in hand."""
    loaded = load_study(study)
    with open_store(loaded.database) as store:
        for invitation in store.run(invite_annotators(count, labels=[f"Newcomer {n}" for n in range(count)])):
            store.run(give_consent(invitation.token, loaded.caps))
