"""Databases of every past schema are brought up to date, with their rows; newer ones are refused."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from duologue.clock import utc_now
from duologue.errors import StoreError, StoreTooNew
from duologue.store import (
    ItemStation,
    Store,
    fetch_annotators,
    fetch_chats,
    fetch_judgments,
    load_items,
    open_store,
    resume_sitting,
)
from duologue.store.database.engine import Database
from duologue.store.database.migrations import MIGRATIONS, Migration, bring_up_to_date
from duologue.store.database.schema import SCHEMA, metadata
from tests.store.past_schema import POSTGRESQL_SCHEMA
from tests.store.small_chats import CHAT_CAPS, chat_items, chat_through, come_to_chat, rate
from tests.store.small_study import CAPS, answer, judge_all, load
from tests.store.truth import assert_sound

PAST = Path(__file__).parent / "schemas"
"""A database of each schema ever released, as SQL: ``1.sql`` and so on, with rows in every table."""
_names = count()


@pytest.fixture
def database(new_database: str) -> str:
    """What is made, migrated and broken here is used by no other test."""
    return new_database


SQLITE = [pytest.param(("sqlite", number), id=f"{number}-sqlite") for number in range(1, SCHEMA + 1)]
POSTGRESQL = [
    pytest.param(
        ("postgresql", number),
        id=f"{number}-postgresql",
        marks=[pytest.mark.postgres, *([pytest.mark.slow] if 1 < number < SCHEMA - 1 else [])],
    )
    for number in range(1, SCHEMA + 1)
]
"""On the way from the first schema every step is taken; from those between it takes `make test-slow`."""


@pytest.fixture(params=[*SQLITE, *POSTGRESQL])
def past(request: pytest.FixtureRequest) -> str:
    """The address of a database of each past schema, on each engine."""
    engine, number = request.param
    if engine == "sqlite":
        path: Path = request.getfixturevalue("sqlite_file")
        _make(path, number)
        return f"sqlite:///{path}"
    database = f"{request.getfixturevalue('postgresql')}&study=past_{next(_names)}"
    _make_on_postgresql(database, number)
    return database


def _make(path: Path, number: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((PAST / f"{number}.sql").read_text())
        connection.execute("PRAGMA journal_mode=WAL")


def _make_on_postgresql(database: str, number: int) -> None:
    import psycopg

    address, study = database.split("&study=")
    dump = (PAST / "postgresql" / f"{number}.sql").read_text().replace(POSTGRESQL_SCHEMA, study)
    with psycopg.connect(address) as connection:
        connection.execute(dump.encode())


@pytest.mark.parametrize("folder", [PAST, PAST / "postgresql"])
def test_every_schema_up_to_the_present_one_is_kept(folder: Path) -> None:
    assert [int(path.stem) for path in sorted(folder.glob("*.sql"))] == list(range(1, SCHEMA + 1))
    assert [step.number for step in MIGRATIONS] == list(range(2, SCHEMA + 1))


def test_past_database_has_rows_in_every_table(past: str) -> None:
    opened = Database(past, clock=utc_now)
    with closing(opened), opened.engine.connect() as connection:
        for name in inspect(connection).get_table_names():
            count = connection.execute(text(f"SELECT count(*) FROM {name}")).scalar()
            assert count, f"{name} is empty, so nothing is known about it"


def test_database_of_a_past_schema_goes_on_with_all_its_rows(past: str) -> None:
    with open_store(past) as store:
        judgments = list(store.stream(fetch_judgments()))
        assert {judgment.excluded for judgment in judgments} == {"", "slow"}
        assert all(judgment.reason.startswith("So") for judgment in judgments)
        (waiting,) = [one for one in store.run(fetch_annotators()) if one.label == "Waiting"]
        station = store.run(resume_sitting(waiting.token, CAPS))
        assert isinstance(station, ItemStation)
        answer(store, waiting.token, station)
        assert len(list(store.stream(fetch_judgments()))) == len(judgments) + 1
    assert_sound(past, CAPS)


def test_live_chats_can_be_held_in_a_database_of_a_past_schema(past: str) -> None:
    with open_store(past) as store:
        before = len(store.run(fetch_chats()))
        store.run(load_items(chat_items(["cyd"], each=4), CHAT_CAPS))
        token, assignment = come_to_chat(store)
        assert chat_through(store, token, assignment).ending == "complete"
        rate(store, token, assignment)
        assert [chat.bot for chat in store.run(fetch_chats())][before:] == ["cyd"]
    assert_sound(past, CHAT_CAPS)


def test_migrated_database_has_the_tables_of_a_new_one(past: str) -> None:
    new = f"{past}_new"
    for address in (past, new):
        open_store(address).close()
    assert _drawn(past) == _drawn(new)


def test_made_up_answers_of_chats_that_could_not_go_on_become_credit(database: str) -> None:
    if database.startswith("sqlite"):
        _make(Path(database.removeprefix("sqlite:///")), 4)
    else:
        _make_on_postgresql(database, 4)
    _opened(database, _let_the_chat_have_ended)
    with open_store(database) as store:
        assert [one.answer for one in store.stream(fetch_judgments()) if "ended" in one.answer] == []
    assert_sound(database, CAPS)

    def look(opened: Database) -> None:
        with opened.reading() as reading:
            connection = reading.connection
            credited = "SELECT credit FROM assignments WHERE state = 'credited'"
            assert connection.execute(text(credited)).scalars().all() == ["no-partner"]
            people = "SELECT label, judged, excluded FROM annotators WHERE credited = 1"
            assert connection.execute(text(people)).all() == [("Chatting", 0, 0)]

    _opened(database, look)


MADE_UP = """
UPDATE judgments SET answer = '{"ended":"no-partner"}'
    WHERE assignment IN (SELECT n FROM assignments WHERE chat IS NOT NULL);
INSERT INTO exclusions (n, id, judgment, action, rule, reason, "by", at)
    SELECT 99, 'e99', n, 'exclude', 'no-partner', 'No partner came.', 'duologue', at
    FROM judgments WHERE answer LIKE '%no-partner%';
INSERT INTO rules_in_force (judgment, rule, exclusion)
    SELECT judgment, rule, n FROM exclusions WHERE n = 99;
UPDATE slots SET state = 'free', judgment = NULL
    WHERE judgment IN (SELECT judgment FROM exclusions WHERE n = 99);
UPDATE quotas SET done = done - 1, free = free + 1, excluded = excluded + 1
    WHERE n IN (SELECT quota FROM judgments WHERE answer LIKE '%no-partner%');
UPDATE annotators SET excluded = excluded + 1
    WHERE n IN (SELECT annotator FROM judgments WHERE answer LIKE '%no-partner%');
UPDATE tallies SET done = 0 WHERE example IN (SELECT judgment FROM exclusions WHERE n = 99)
"""
"""What a chat that could not go on left behind before schema 6: an answer that nobody gave, excluded."""


def _let_the_chat_have_ended(opened: Database) -> None:
    where = "" if opened.is_sqlite else " ON judgments"
    with opened.engine.begin() as connection:
        connection.execute(text(f"DROP TRIGGER judgments_never_update{where}"))
        for statement in MADE_UP.split(";"):
            connection.execute(text(statement.replace(":", "\\:")))
        if opened.is_sqlite:
            refuse = "BEGIN SELECT RAISE(ABORT, 'judgments are append-only'); END"
            made = f"CREATE TRIGGER judgments_never_update BEFORE update ON judgments {refuse}"
            connection.exec_driver_sql(made)


def _drawn(address: str) -> dict[str, object]:
    """Columns, keys, indexes and triggers of a database."""
    opened = Database(address, clock=utc_now)
    with closing(opened), opened.engine.connect() as connection:
        look = inspect(connection)
        drawn: dict[str, object] = {}
        for table in look.get_table_names():
            drawn[table] = (
                sorted((one["name"], str(one["type"]), one["nullable"]) for one in look.get_columns(table)),
                sorted(str(one["name"]) for one in look.get_indexes(table)),
                sorted(tuple(one["column_names"]) for one in look.get_unique_constraints(table)),
                sorted(
                    (*one["constrained_columns"], one["referred_table"])
                    for one in look.get_foreign_keys(table)
                ),
            )
        triggers = (
            "SELECT name, lower(sql) FROM sqlite_master WHERE type = 'trigger'"
            if opened.is_sqlite
            else "SELECT tgname, replace(pg_get_triggerdef(oid), :schema, '') FROM pg_trigger "
            "WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = "
            "CAST(:name AS regnamespace))"
        )
        names = {} if opened.is_sqlite else {"schema": f"{opened.schema_name}.", "name": opened.schema_name}
        drawn["triggers"] = sorted(
            (name, " ".join(str(sql).split())) for name, sql in connection.execute(text(triggers), names)
        )
    return drawn


def _counts(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as connection:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}


def _columns(path: Path) -> dict[str, list[tuple[str, str]]]:
    with closing(sqlite3.connect(path)) as connection:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {
            name: sorted((row[1], row[2]) for row in connection.execute(f'PRAGMA table_info("{name}")'))
            for name in names
        }


def _add_colour(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE annotators ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'"))


def _break(connection: Connection) -> None:
    _add_colour(connection)
    raise StoreError("the migration does not work out")


NEXT = Migration(SCHEMA + 1, "give annotators a colour", _add_colour)
BROKEN = Migration(SCHEMA + 1, "break half-way", _break)


def _filled(database: str) -> None:
    with open_store(database) as store:
        load(store)
        judge_all(store)


def _opened(database: str, use: Callable[[Database], object]) -> None:
    opened = Database(database, clock=utc_now)
    with closing(opened):
        use(opened)


def test_migration_keeps_the_rows_and_is_done_once(database: str) -> None:
    _filled(database)
    for _ in range(2):
        _opened(database, lambda opened: bring_up_to_date(opened, [NEXT]))

    def look(opened: Database) -> None:
        with opened.engine.connect() as connection:
            assert connection.execute(text("SELECT colour FROM annotators")).scalars().all() == ["grey"]
            assert connection.execute(text("SELECT count(*) FROM judgments")).scalar() == 3
            numbers = (
                connection.execute(text("SELECT number FROM migrations ORDER BY number")).scalars().all()
            )
            assert numbers == [SCHEMA, SCHEMA + 1]

    _opened(database, look)


def test_sqlite_file_is_copied_before_it_is_migrated(sqlite_file: Path) -> None:
    _filled(f"sqlite:///{sqlite_file}")
    _opened(f"sqlite:///{sqlite_file}", lambda opened: bring_up_to_date(opened, [NEXT]))
    copy = sqlite_file.with_name(f"study.db.before-schema-{SCHEMA + 1}")
    assert "colour" not in [name for name, _kind in _columns(copy)["annotators"]]
    assert _counts(copy)["judgments"] == 3


def test_migration_that_fails_changes_nothing(database: str) -> None:
    _filled(database)
    with pytest.raises(StoreError, match="does not work out"):
        _opened(database, lambda opened: bring_up_to_date(opened, [BROKEN]))
    with open_store(database) as store:
        assert len(list(store.stream(fetch_judgments()))) == 3

    def look(opened: Database) -> None:
        with opened.engine.connect() as connection:
            assert "colour" not in [one["name"] for one in inspect(connection).get_columns("annotators")]

    _opened(database, look)


def _rebuild(connection: Connection) -> None:
    """Make annotators anew under their name, as SQLite needs it where a constraint changes."""
    for statement in (
        "CREATE TABLE other AS SELECT * FROM annotators",
        "DROP TABLE annotators",
        "ALTER TABLE other RENAME TO annotators",
        "CREATE UNIQUE INDEX numbers ON annotators (n)",
    ):
        connection.execute(text(statement))


def _lose(connection: Connection) -> None:
    connection.execute(text("DELETE FROM annotators"))


def test_a_table_that_others_refer_to_can_be_rebuilt_on_sqlite(sqlite_file: Path) -> None:
    address = f"sqlite:///{sqlite_file}"
    _filled(address)
    step = Migration(SCHEMA + 1, "rebuild", _rebuild)
    _opened(address, lambda opened: bring_up_to_date(opened, [step]))
    assert _counts(sqlite_file)["annotators"] == 1


def test_a_migration_that_leaves_rows_without_what_they_refer_to_changes_nothing(sqlite_file: Path) -> None:
    address = f"sqlite:///{sqlite_file}"
    _filled(address)
    step = Migration(SCHEMA + 1, "lose", _lose)
    with pytest.raises(StoreError, match="refer to nothing"):
        _opened(address, lambda opened: bring_up_to_date(opened, [step]))
    assert _counts(sqlite_file)["annotators"] == 1


def test_references_are_checked_again_after_a_migration(sqlite_file: Path) -> None:
    address = f"sqlite:///{sqlite_file}"
    _filled(address)

    def use(opened: Database) -> None:
        bring_up_to_date(opened, [NEXT])
        with opened.engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1

    _opened(address, use)


def test_newer_database_is_refused_and_left_alone(database: str) -> None:
    _filled(database)
    _opened(database, lambda opened: bring_up_to_date(opened, [NEXT]))
    with pytest.raises(StoreTooNew, match="Please upgrade") as refused:
        open_store(database)
    assert (refused.value.schema, refused.value.known) == (SCHEMA + 1, SCHEMA)


def test_database_of_something_else_is_refused(sqlite_file: Path) -> None:
    with closing(sqlite3.connect(sqlite_file)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match=r"holds something else \(recipes\)"):
        open_store(f"sqlite:///{sqlite_file}")


def test_both_engines_have_the_same_tables(store: Store, database: str) -> None:
    def look(opened: Database) -> None:
        with opened.engine.connect() as connection:
            assert set(inspect(connection).get_table_names()) == set(metadata.tables)

    _opened(database, look)
