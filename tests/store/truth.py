"""What must be true of a database at every moment, read from its tables and not from its counters."""

import json
from collections import Counter, defaultdict
from contextlib import closing
from typing import Any

from sqlalchemy import Connection, Table, select

from duologue.clock import utc_now
from duologue.protocols import HUMAN, ChatPlan, Item, chat_plan, item_of
from duologue.store.chats.held_dialogues import dialogue_id
from duologue.store.database.encoding import order_of
from duologue.store.database.engine import Database
from duologue.store.database.schema import (
    SECOND_COPY,
    annotators,
    assignments,
    blocks,
    chat_turns,
    chats,
    dialogues,
    exclusions,
    item_dialogues,
    items,
    judged_quotas,
    judgments,
    quotas,
    rules_in_force,
    selections,
    slots,
    tallies,
    wanted_replies,
)
from duologue.store.sittings.orders import is_straight
from duologue.studies import StudyRules


def assert_sound(address: str, caps: StudyRules, *, are_orders_balanced: bool = True) -> None:
    """Check every promise of the store against the rows themselves."""
    database = Database(address, clock=utc_now)
    with closing(database):
        check_promises(database, caps, are_orders_balanced=are_orders_balanced)


def check_promises(database: Database, caps: StudyRules, *, are_orders_balanced: bool = True) -> None:
    """Check every promise of the store.

    Orders are balanced until items are retired some of whose places are already judged.
    """
    with database.engine.connect() as connection:
        counting = _counting_judgments(connection)
        _slots_and_judgments_agree(connection, counting)
        _nobody_sees_anything_twice(connection, caps)
        _caps_hold(connection, caps, counting)
        if are_orders_balanced:
            _orders_are_balanced(connection)
        _counters_are_true(connection, counting)
        _tallies_are_true(connection, counting)
        _exclusions_add_up(connection)
        _chats_are_whole(connection, caps)
        _checks_and_repeats_are_apart(connection)
        _places_in_blocks_are_whole(connection, caps)


def _checks_and_repeats_are_apart(connection: Connection) -> None:
    """Checks and repeats fill no place, what took too long has no judgment, and the counters are true."""
    roles = {row.n: row.role for row in _rows(connection, items)}
    judged = {row.assignment: row for row in _rows(connection, judgments)}
    for row in _rows(connection, assignments):
        assert (row.slot is None) == (roles[row.item] != "judged" or row.occasion > 1)
        assert row.state != "timed-out" or row.n not in judged
        found = judged.get(row.n)
        assert found is None or (found.role, found.occasion) == (roles[row.item], row.occasion)
    for one in _rows(connection, annotators):
        theirs = [
            row
            for row in _rows(connection, assignments)
            if row.annotator == one.n
            and row.n != one.assignment
            and row.state in ("judged", "timed-out", "credited")
        ]
        checks = [row for row in theirs if roles[row.item] == "attention"]
        assert one.attention_asked == len(checks)
        assert one.attention_right == sum(
            row.n in judged and judged[row.n].is_correct is not False for row in checks
        )
        assert one.repeated == sum(row.occasion > 1 for row in theirs)
        late = [row for row in theirs if row.state == "timed-out" and row.slot is not None]
        assert one.timed_out == len(late)
        blocks_seen = {
            json.loads(row.body).get("block", "")
            for row in _rows(connection, items)
            if row.n in {own.item for own in theirs} and row.role == "judged"
        }
        assert not one.item_block or blocks_seen <= {"", one.item_block}


def _places_in_blocks_are_whole(connection: Connection, caps: StudyRules) -> None:
    """Whoever is in a block finds a place in each of its items that is still before them."""
    if caps.max_judgments is not None or caps.arms_per_annotator > 1:
        return
    owners = {row.n: row for row in _rows(connection, quotas)}
    blocks_of = {row.n: row.block for row in _rows(connection, items) if row.block}
    of_item: defaultdict[int, set[int]] = defaultdict(set)
    seen_by: defaultdict[int, set[int]] = defaultdict(set)
    handed: defaultdict[int, set[int]] = defaultdict(set)
    for row in _rows(connection, item_dialogues):
        of_item[row.item].add(row.dialogue)
    for row in _rows(connection, assignments):
        handed[row.annotator].add(row.item)
        seen_by[row.annotator] |= of_item[row.item]
    free: Counter[tuple[int, int]] = Counter()
    for row in _rows(connection, slots):
        if row.item in blocks_of and row.is_wanted:
            free[row.item, row.quota] += row.state == "free"
    working = {row.annotator for row in _rows(connection, assignments) if row.state == "running"}
    to_come: Counter[tuple[int, int]] = Counter()
    for one in _rows(connection, annotators):
        if one.n not in working or not one.item_block or one.ending:
            continue
        for item, quota in free:
            owner = owners[quota]
            is_theirs = (owner.arm, owner.cohort) == (one.arm, caps.places_of(one.cohort))
            is_new = item not in handed[one.n] and not of_item[item] & seen_by[one.n]
            to_come[item, quota] += is_theirs and is_new and blocks_of[item] == one.item_block
    assert all(people <= free[where] for where, people in to_come.items()), "let in for less than a sitting"


def _rows(connection: Connection, table: Table) -> list[Any]:
    return list(connection.execute(select(table)))


def _is_planned(judgment: Any) -> bool:
    return bool(judgment.role == "judged" and judgment.occasion == 1)


def _counting_judgments(connection: Connection) -> list[Any]:
    """Judgments that no rule sets aside, onboarding not counted."""
    aside = {row.judgment for row in _rows(connection, rules_in_force)}
    return [row for row in _rows(connection, judgments) if _is_planned(row) and row.n not in aside]


def _slots_and_judgments_agree(connection: Connection, counting: list[Any]) -> None:
    held = {row.n: row.judgment for row in _rows(connection, slots) if row.judgment is not None}
    assert held == {row.slot: row.n for row in counting}
    assert len(held) == len(counting), "two judgments count for one slot"
    running = [
        row for row in _rows(connection, assignments) if row.state == "running" and row.slot is not None
    ]
    leased = {row.n: row.assignment for row in _rows(connection, slots) if row.assignment is not None}
    assert leased == {row.slot: row.n for row in running}
    for row in _rows(connection, slots):
        states = {(False, False): ("free", "retired"), (True, False): ("leased",), (False, True): ("done",)}
        assert row.state in states[row.assignment is not None, row.judgment is not None]
        assert row.is_wanted or row.state != "free"


def _nobody_sees_anything_twice(connection: Connection, caps: StudyRules) -> None:
    shown = connection.execute(
        select(assignments.c.annotator, assignments.c.arm, assignments.c.item, item_dialogues.c.dialogue)
        .select_from(assignments.join(item_dialogues, item_dialogues.c.item == assignments.c.item))
        .distinct()
    ).all()
    seen = Counter(
        (annotator, dialogue, arm if caps.one_per_factor else "") for annotator, arm, _item, dialogue in shown
    )
    assert not seen or max(seen.values()) == 1
    handed = Counter((row.annotator, row.item, row.occasion) for row in _rows(connection, assignments))
    assert not handed or max(handed.values()) == 1
    in_hand = Counter(row.annotator for row in _rows(connection, assignments) if row.state == "running")
    assert not in_hand or max(in_hand.values()) == 1


def _caps_hold(connection: Connection, caps: StudyRules, counting: list[Any]) -> None:
    cohorts = {row.n: row.cohort for row in _rows(connection, annotators)}
    skipped = Counter(row.annotator for row in _rows(connection, assignments) if row.credit == "skipped")
    assert max(skipped.values(), default=0) <= caps.skips, "an annotator skipped too much"
    per_item = Counter((row.arm, row.item, caps.places_of(cohorts[row.annotator])) for row in counting)
    for (_arm, _item, cohort), judged in per_item.items():
        assert judged <= caps.copies_wanted.get(cohort, 0) + bool(caps.judged_twice)
    owners = {row.n: row.cohort for row in _rows(connection, quotas)}
    assert all(owners[row.quota] == caps.places_of(cohorts[row.annotator]) for row in counting)
    arms = {(row.annotator, row.arm) for row in _rows(connection, assignments)}
    seen = Counter(annotator for annotator, _arm in arms)
    assert max(seen.values(), default=1) <= caps.arms_per_annotator, "an annotator saw too many arms"
    groups = len({(row.arm, row.group_name) for row in _rows(connection, quotas)}) // len(caps.arms)
    most = caps.max_judgments if caps.max_judgments is not None else groups * (caps.max_per_group or 1)
    if caps.max_judgments is None and (sizes := [row.item_count for row in _rows(connection, blocks)]):
        most = max(sizes)
    per_annotator = Counter((row.annotator, row.arm) for row in counting)
    assert not per_annotator or max(per_annotator.values()) <= most


def _orders_are_balanced(connection: Connection) -> None:
    balance: Counter[int] = Counter()
    for row in _rows(connection, slots):
        if row.state != "retired" and len(order_of(row.shown)) > 1:
            balance[row.quota] += 1 if is_straight(order_of(row.shown)) else -1
    assert all(abs(difference) <= 1 for difference in balance.values())


def _counters_are_true(connection: Connection, counting: list[Any]) -> None:
    states: Counter[tuple[int, str]] = Counter((row.quota, row.state) for row in _rows(connection, slots))
    stored = [row for row in _rows(connection, judgments) if _is_planned(row)]
    counts = {row.n for row in counting}
    for quota in _rows(connection, quotas):
        assert quota.done == states[quota.n, "done"]
        assert quota.leased == states[quota.n, "leased"]
        assert quota.free == states[quota.n, "free"]
        assert quota.wanted == sum(states[quota.n, state] for state in ("free", "leased", "done"))
        assert quota.excluded == sum(row.quota == quota.n and row.n not in counts for row in stored)
    for annotator in _rows(connection, annotators):
        theirs = [row for row in stored if row.annotator == annotator.n]
        assert annotator.judged == len(theirs)
        assert annotator.credited == sum(
            row.annotator == annotator.n and row.state == "credited" and row.slot is not None
            for row in _rows(connection, assignments)
        )
        assert annotator.excluded == sum(row.n not in counts for row in theirs)
        by_quota = Counter(row.quota for row in theirs)
        kept = {
            row.quota: row.judged for row in _rows(connection, judged_quotas) if row.annotator == annotator.n
        }
        assert kept == dict(by_quota)


def _tallies_are_true(connection: Connection, counting: list[Any]) -> None:
    """Every tally is the number of judgments that are alike, and its example is one of those."""
    bots = {row.n: json.loads(row.body)["bots"] for row in _rows(connection, items)}
    alike = {
        row.n: (row.quota, row.revision, tuple(bots[row.item]), row.shown, row.answer)
        for row in _rows(connection, judgments)
    }
    kept = {alike[row.example]: row.done for row in _rows(connection, tallies)}
    assert len(kept) == len(_rows(connection, tallies)), "two tallies of judgments that are alike"
    second = {row.n for row in _rows(connection, slots) if row.copy == SECOND_COPY}
    counted = Counter(alike[row.n] for row in counting if row.slot not in second)
    assert {kind: done for kind, done in kept.items() if done} == counted


def _exclusions_add_up(connection: Connection) -> None:
    force: set[tuple[int, str]] = set()
    for row in sorted(_rows(connection, exclusions), key=lambda row: int(row.n)):
        if row.action == "exclude":
            assert (row.judgment, row.rule) not in force
            force.add((row.judgment, row.rule))
        else:
            force.remove((row.judgment, row.rule))
    assert force == {(row.judgment, row.rule) for row in _rows(connection, rules_in_force)}


def _chats_are_whole(connection: Connection, caps: StudyRules) -> None:
    """Turns alternate without a gap, states say who is next, and what is over is a dialogue."""
    turns, members, wanted = defaultdict(list), defaultdict(list), defaultdict(list)
    for row in sorted(_rows(connection, chat_turns), key=lambda row: (int(row.place), int(row.thread))):
        turns[row.chat].append(row)
    for row in _rows(connection, assignments):
        if row.chat is not None:
            members[row.chat].append(row)
    for row in _rows(connection, wanted_replies):
        wanted[row.chat].append(row)
    chosen: Counter[int] = Counter(row.assignment for row in _rows(connection, selections))
    held = {row.id for row in _rows(connection, dialogues)}
    bodies = {row.n: row.body for row in _rows(connection, items)}
    for chat in _rows(connection, chats):
        item = item_of(bodies[chat.item])
        _turns_alternate(chat, turns[chat.n], len(item.bots))
        _seats_are_taken(chat, turns[chat.n], members[chat.n], is_human=item.bots == (HUMAN,))
        _state_is_true(chat, turns[chat.n], members[chat.n], wanted[chat.n], item)
        said = [row for row in turns[chat.n] if row.seat == 1 and not row.key.startswith("opener")]
        plan = chat_plan(item) or ChatPlan()
        for row in members[chat.n]:
            assert chosen[row.n] == (len(said) if plan.choose else 0), "a turn without its selection"
            is_held = chat.state == "ended" and bool(turns[chat.n])
            assert (dialogue_id(chat.id, row.seat) in held) == is_held
    _nobody_chats_too_often(connection, caps)


def _turns_alternate(chat: Any, said: list[Any], bots: int) -> None:
    """Every place is taken, in several threads at once where bots have their own, and seats take turns."""
    places = {row.place: row.seat for row in said}
    assert sorted(places) == list(range(len(places)))
    assert {row.thread for row in said} <= set(range(bots))
    assert all(places[place] != places[place + 1] for place in range(len(places) - 1)), "twice in a row"
    seats = list(places.values())
    assert (chat.turns_0, chat.turns_1) == (seats.count(0), seats.count(1))
    assert min(chat.turns_0, chat.turns_1) <= chat.max_exchanges


def _seats_are_taken(chat: Any, said: list[Any], seated: list[Any], *, is_human: bool) -> None:
    seats = sorted(row.seat for row in seated)
    assert seats == ([0, 1] if is_human and (said or chat.state in ("open", "failed")) else seats)
    assert seats in ([0], [0, 1] if is_human else [0])
    assert len({row.annotator for row in seated}) == len(seated), "somebody chats with themselves"


def _state_is_true(chat: Any, said: list[Any], seated: list[Any], wanted: list[Any], item: Item) -> None:
    """What is owed and what is on offer is what the state says."""
    place = chat.turns_0 + chat.turns_1
    now = Counter(row.state for row in wanted if row.place == place)
    owed = now["open"] + now["failed"]
    assert all(row.state in ("given", "dropped", "failed") for row in wanted if row.place < place)
    is_erased = chat.is_erased or any(row.state == "ended" for row in seated)
    if chat.state == "open":
        assert not said or chat.next_seat != said[-1].seat
        is_bots_turn = item.bots != (HUMAN,) and chat.next_seat == 1
        assert bool(now["open"]) == is_bots_turn or is_erased
        assert not is_bots_turn or sum(now.values()) == len(item.bots)
    if chat.state == "choosing":
        assert now["given"], "nothing to choose from"
        assert not now["open"] or is_erased, "shown before all were there"
    assert (chat.state == "ended") == bool(chat.ending) == (chat.ended_at is not None)
    assert chat.state != "failed" or chat.is_erased or (now["failed"] and not now["open"])
    assert not owed or not (chat.is_erased or chat.state == "ended")


def _nobody_chats_too_often(connection: Connection, caps: StudyRules) -> None:
    if caps.max_per_group is not None:
        groups = {row.n: row.quota for row in _rows(connection, slots)}
        handed = Counter(
            (row.annotator, groups[row.slot])
            for row in _rows(connection, assignments)
            if row.chat is not None
        )
        assert not handed or max(handed.values()) <= caps.max_per_group
