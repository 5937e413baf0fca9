"""Putting items into the database before they are handed out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice, product

from sqlalchemy import bindparam, case, delete, func, insert, not_, or_, select, text, update

from duologue.errors import ContentChanged, NotFound
from duologue.protocols import CHAT, TURN_BY_TURN, Item, addendum_asking, item_of, item_text
from duologue.seeds import first_numbers
from duologue.store.database.encoding import order_of, order_text
from duologue.store.database.engine import Row, Transaction
from duologue.store.database.operations import writes
from duologue.store.database.schema import (
    assignments,
    dialogues,
    gold_items,
    item_dialogues,
    items,
    quotas,
    slots,
)
from duologue.store.loading.batches import (
    BATCH,
    RowSet,
    batches,
    by_id,
    found,
    number_of,
    one_of_a_batch,
    twice,
)
from duologue.store.loading.second_slots import settle_second_slots
from duologue.store.loading.some_items import keep_some_items
from duologue.store.records import LoadCounts
from duologue.store.schedule.item_blocks import count_blocks
from duologue.store.sittings.orders import Order, balanced_order, is_straight, rarest_order
from duologue.studies import StudyRules

_LATER_COPY = 1 << 32
"""Every item gets its first judgment before any gets its second."""


_DIALOGUE_NUMBERS = select(dialogues.c.id, dialogues.c.n).where(one_of_a_batch(dialogues.c.id))
_KNOWN_ITEMS = select(items.c.id, items.c.n, items.c.body, items.c.is_retired).where(
    one_of_a_batch(items.c.id)
)
_HIGHEST_ITEM = select(func.coalesce(func.max(items.c.n), 0))
_ADD_GOLD_ITEM = insert(gold_items)
_SLOTS_OF_ITEMS = select(slots.c.item, slots.c.quota, slots.c.copy).where(one_of_a_batch(slots.c.item))
_QUOTAS = select(quotas.c.arm, quotas.c.group_name, quotas.c.cohort, quotas.c.n)
_ADD_QUOTA = insert(quotas).returning(quotas.c.n)
_SLOT_ORDERS = (
    select(slots.c.quota, slots.c.shown, func.count())
    .where(slots.c.state != "retired")
    .group_by(slots.c.quota, slots.c.shown)
)
_SLOT_COUNTS = select(slots.c.quota, func.count()).group_by(slots.c.quota)


@dataclass(slots=True)
class _Quota:
    """What loading keeps track of in one group of one arm."""

    n: int
    items: int = 0
    """Positions given so far."""
    straight: int = 0
    reversed_: int = 0
    orders: Counter[Order] = field(default_factory=Counter)
    """How often each order of three has come."""

    def next_slot(self, length: int, drawn: int) -> tuple[int, str]:
        """The position of the next slot, and the order in which it shows so many dialogues."""
        if length == 2:  # what `balanced_order` says of two, in a fifth of its time
            return self._next_of_two(drawn)
        if length == 3:
            order = rarest_order(self.orders, drawn)
            self.orders[order] += 1
        else:
            order = balanced_order(
                length, draw=lambda: drawn, straight=self.straight, reversed_=self.reversed_
            )
        if is_straight(order):
            self.straight += 1
        else:
            self.reversed_ += 1
        self.items += 1
        return self.items, order_text(order)

    def _next_of_two(self, drawn: int) -> tuple[int, str]:
        straight, reversed_ = self.straight, self.reversed_
        self.items += 1
        if straight < reversed_ or (straight == reversed_ and drawn % 2 == 0):
            self.straight += 1
            return self.items, "0,1"
        self.reversed_ += 1
        return self.items, "1,0"


@dataclass(slots=True)
class _Load:
    """One loading of items, as far as it has come."""

    tx: Transaction
    caps: StudyRules
    quotas: dict[tuple[str, str, str], _Quota]
    """By arm, group and cohort."""
    highest_item: int
    dialogues: dict[str, int] = field(default_factory=dict)
    """Numbers of the dialogues met so far."""
    noted: RowSet = field(default_factory=lambda: RowSet("item"))
    """Items met so far, in a store that was not empty."""
    met: set[int] | None = None
    """In a store that was empty, hashes of the ids met so far: only what is among them is looked up."""
    counts: Counter[str] = field(default_factory=Counter)
    blocks: Counter[str] = field(default_factory=Counter)
    """Items to judge of each block met so far."""


@writes
def load_items(tx: Transaction, given: Iterable[Item], caps: StudyRules) -> LoadCounts:
    """Store items, all or none, with a slot for every judgment that is wanted of them, in every arm.

    Items that are there already are kept. What the file, or the caps, no longer ask for is retired: handed
    out to nobody from now on. What was judged stays judged.

    Raises:
        ContentChanged: An item that annotators have seen is a different one now.
        InputError: Two items have the same id.
        NotFound: An item names a dialogue that is not loaded.
    """
    load = _Load(tx, caps, _quotas_so_far(tx), number_of(tx, _HIGHEST_ITEM))
    is_first = load.highest_item == 0
    if is_first:
        load.met = set()
    for batch in _prepared(given, caps):
        _load_batch(load, batch)
    retired = 0
    if not is_first:  # in an empty store all that was loaded is wanted, and its orders are balanced
        retired = _retire_items(load)
        _settle_slots(load)
    for cohort, most in caps.items_of.items():
        keep_some_items(tx, caps, cohort, most)
    has_seconds = settle_second_slots(tx, caps)
    if not is_first or caps.items_of or has_seconds:
        _balance_orders(load)
    tx.do(_COUNT_WANTED)
    _count_groups(load)
    count_blocks(tx, load.blocks)
    return LoadCounts(load.counts["added"], load.counts["kept"], retired)


def _quotas_so_far(tx: Transaction) -> dict[tuple[str, str, str], _Quota]:
    found = {(arm, group, cohort): _Quota(n) for arm, group, cohort, n in tx.rows(_QUOTAS)}
    by_number = {quota.n: quota for quota in found.values()}
    for number, shown, count in tx.rows(_SLOT_ORDERS):
        order = order_of(shown)
        if len(order) == 1:
            continue  # it has no reverse
        by_number[number].orders[order] += count
        if is_straight(order):
            by_number[number].straight += count
        else:
            by_number[number].reversed_ += count
    for number, count in tx.rows(_SLOT_COUNTS):
        by_number[number].items = count
    return found


@dataclass(frozen=True, slots=True)
class _Batch:
    """Items with all that can be known about their rows without asking the database."""

    items: dict[str, Item]
    """By id."""
    bodies: dict[str, str]
    """How each is stored, by id."""
    lots: list[int]
    """The random number of each copy in each arm of each item."""


@dataclass(frozen=True, slots=True)
class _Place:
    """One judgment that is wanted of every item."""

    arm: str
    cohort: str
    copy: int

    def lot_of(self, item: str) -> str:
        """What its random number is drawn for."""
        name = f"{self.arm}\0{item}\0{self.copy}"
        return f"{name}\0{self.cohort}" if self.cohort else name


def _places(caps: StudyRules) -> tuple[_Place, ...]:
    return tuple(
        _Place(arm, cohort, copy)
        for arm in caps.arms
        for cohort, copies in caps.copies_wanted.items()
        for copy in range(copies)
    )


def _prepared(given: Iterable[Item], caps: StudyRules) -> Iterator[_Batch]:
    """Items in batches.

    Raises:
        InputError: Two items of a batch have the same id.
    """
    places = _places(caps)
    for batch in batches(given):
        wanted = by_id("item", batch)
        names = [place.lot_of(key) for key, place in product(wanted, places)]
        bodies = dict(zip(wanted, map(item_text, batch), strict=True))
        yield _Batch(wanted, bodies, first_numbers(caps.seed, "order", names))


def _load_batch(load: _Load, batch: _Batch) -> None:
    tx, wanted = load.tx, batch.items
    known = _known_items(load, wanted)
    new = {key: item for key, item in wanted.items() if key not in known} if known else wanted
    numbers = dict(zip(new, range(load.highest_item + 1, load.highest_item + 1 + len(new)), strict=True))
    numbers |= {key: int(row[1]) for key, row in known.items()}
    if load.met is None:
        load.noted.note(numbers)
    load.highest_item += len(new)
    load.counts.update(added=len(new), kept=len(known))
    load.blocks.update(item.block for item in wanted.values() if item.role == "judged")
    changed = [
        wanted[key]
        for key, _number, body, _is_retired in known.values()
        if body != batch.bodies[key] and item_of(body) != wanted[key]
    ]
    for item in changed:
        _replace_item(tx, number=numbers[item.id], item=item)
    _add_items(tx, new, numbers, batch.bodies)
    _link_dialogues(load, [*new.values(), *changed], numbers)
    tx.do_many(_BRING_BACK, [{"number": row[1]} for row in known.values() if row[3]])
    _add_slots(load, batch, numbers, has_old=bool(known))


def _known_items(load: _Load, wanted: Mapping[str, Item]) -> dict[str, Row]:
    """The rows of those items that are stored.

    Raises:
        InputError: The store was empty: two items have the same id.
    """
    if load.met is not None:
        hashes = set(map(hash, wanted))
        are_new = load.met.isdisjoint(hashes)
        load.met |= hashes
        if are_new:
            return {}
    known = {row[0]: row for row in found(load.tx, _KNOWN_ITEMS, wanted)}
    if known and load.met is not None:
        raise twice("item", next(iter(known)))
    return known


def _add_items(
    tx: Transaction, new: Mapping[str, Item], numbers: Mapping[str, int], bodies: Mapping[str, str]
) -> None:
    rows = [(numbers[key], key, item.group, item.role, item.block, bodies[key]) for key, item in new.items()]
    tx.add_many(items, ("n", "id", "group_name", "role", "block", "body"), rows)
    gold = [(row[0], row[3]) for row in rows if row[3] != "judged"]
    tx.add_many(gold_items, ("item", "role"), gold)


def _link_dialogues(load: _Load, some: list[Item], numbers: Mapping[str, int]) -> None:
    known = load.dialogues
    unknown = set(chain.from_iterable([item.dialogues for item in some])).difference(known)
    known.update(found(load.tx, _DIALOGUE_NUMBERS, sorted(unknown)))
    for key in unknown:
        if key not in known:
            raise NotFound("dialogue", key)
    rows = [
        (numbers[item.id], place, known[key]) for item in some for place, key in enumerate(item.dialogues)
    ]
    load.tx.add_many(item_dialogues, ("item", "place", "dialogue"), rows)


_WAS_ITEM_HANDED_OUT = select(assignments.c.n).where(assignments.c.item == bindparam("number")).limit(1)
_CLEAR_ITEM = tuple(
    delete(table).where(table.c.item == bindparam("number")) for table in (item_dialogues, gold_items, slots)
)
_CHANGE_ITEM = (
    update(items)
    .where(items.c.n == bindparam("number"))
    .values(
        group_name=bindparam("new_group"),
        role=bindparam("new_role"),
        block=bindparam("new_block"),
        body=bindparam("new_body"),
    )
)


def _replace_item(tx: Transaction, *, number: int, item: Item) -> None:
    """Give an item that nobody has seen its new content."""
    if tx.row(_WAS_ITEM_HANDED_OUT, number=number) is not None:
        raise ContentChanged("item", item.id)
    for clear in _CLEAR_ITEM:
        tx.do(clear, number=number)
    tx.do(
        _CHANGE_ITEM,
        number=number,
        new_group=item.group,
        new_role=item.role,
        new_block=item.block,
        new_body=item_text(item),
    )
    if not item.is_judged:
        tx.do(_ADD_GOLD_ITEM, item=number, role=item.role)


_BRING_BACK = update(items).where(items.c.n == bindparam("number")).values(is_retired=False)


def _add_slots(load: _Load, batch: _Batch, numbers: Mapping[str, int], *, has_old: bool) -> None:
    there = set(found(load.tx, _SLOTS_OF_ITEMS, numbers.values())) if has_old else set()
    rows = []
    places = product(batch.items.values(), _places(load.caps))
    for (item, place), lot in zip(places, batch.lots, strict=True):
        if item.role != "judged" or (item.cohorts and place.cohort not in item.cohorts):
            continue
        if item.factor and load.caps.factors.get(place.arm) != item.factor:
            continue
        number = numbers[item.id]
        quota = load.quotas.get((place.arm, item.group, place.cohort)) or _new_quota(load, place, item.group)
        if not there or (number, quota.n, place.copy) not in there:
            position, shown = quota.next_slot(item.shown or _partners(item), lot)
            rows.append((quota.n, number, place.copy, place.copy * _LATER_COPY + position, shown))
    load.tx.add_many(slots, ("quota", "item", "copy", "position", "shown"), rows)


def _partners(item: Item) -> int:
    """How many things a live chat shows in an order: the replies of its bots."""
    return len(item.bots) if CHAT in item.extras or TURN_BY_TURN in item.extras else 1


def _new_quota(load: _Load, place: _Place, group: str) -> _Quota:
    row = load.tx.row(_ADD_QUOTA, arm=place.arm, group_name=group, cohort=place.cohort)
    assert row is not None  # noqa: S101  an insert that returns its number
    quota = load.quotas[place.arm, group, place.cohort] = _Quota(int(row[0]))
    return quota


_ITEMS_IN_USE = (
    select(items.c.n)
    .where(items.c.n > bindparam("after"), items.c.is_retired.is_(False))
    .order_by(items.c.n)
    .limit(10 * BATCH)
)
_RETIRE = update(items).where(items.c.n == bindparam("number")).values(is_retired=True)


def _retire_items(load: _Load) -> int:
    """Retire the items that are not in the file; how many there were."""
    retired, after = 0, 0
    while numbers := [row[0] for row in load.tx.rows(_ITEMS_IN_USE, after=after)]:
        after = numbers[-1]
        gone = [{"number": n} for n in numbers if not load.noted.has(n)]
        load.tx.do_many(_RETIRE, gone)
        retired += len(gone)
    return retired


_WANT_QUOTA = (
    update(quotas)
    .where(quotas.c.n == bindparam("number"), quotas.c.is_wanted != bindparam("wants"))
    .values(is_wanted=bindparam("wants"))
)
_is_superfluous = or_(
    slots.c.copy >= bindparam("copies"),
    slots.c.item.in_(select(items.c.n).where(items.c.is_retired.is_(True))),
    slots.c.quota.in_(select(quotas.c.n).where(quotas.c.is_wanted.is_(False))),
)
_is_of_cohort = slots.c.quota.in_(select(quotas.c.n).where(quotas.c.cohort == bindparam("cohort")))
_GIVE_UP_SLOTS = (
    update(slots)
    .where(slots.c.is_wanted.is_(True), _is_of_cohort, _is_superfluous)
    .values(is_wanted=False, state=case((slots.c.state == "free", "retired"), else_=slots.c.state))
)
_TAKE_SLOTS_BACK = (
    update(slots)
    .where(slots.c.is_wanted.is_(False), _is_of_cohort, not_(_is_superfluous))
    .values(is_wanted=True, state=case((slots.c.state == "retired", "free"), else_=slots.c.state))
)


def _settle_slots(load: _Load) -> None:
    """Retire the free slots that items, arms or copies no longer ask for, and take back those they do."""
    caps, copies = load.caps, load.caps.copies_wanted
    for (arm, _group, _cohort), quota in load.quotas.items():
        load.tx.do(_WANT_QUOTA, number=quota.n, wants=arm in caps.arms)
    for cohort in sorted({cohort for _arm, _group, cohort in load.quotas}):
        load.tx.do(_GIVE_UP_SLOTS, cohort=cohort, copies=copies.get(cohort, 0))
        load.tx.do(_TAKE_SLOTS_BACK, cohort=cohort, copies=copies.get(cohort, 0))


_FREE_SLOTS = (
    select(slots.c.n, slots.c.shown)
    .where(slots.c.quota == bindparam("quota"), slots.c.state == "free")
    .order_by(slots.c.position.desc(), slots.c.n.desc())
)
_TURN_ROUND = update(slots).where(slots.c.n == bindparam("number")).values(shown=bindparam("new_shown"))


def _balance_orders(load: _Load) -> None:
    """Turn round the orders of free slots until both orders are equally common again."""
    for quota in load.quotas.values():
        quota.straight = quota.reversed_ = 0
    load.quotas.update(_quotas_so_far(load.tx))
    for quota in load.quotas.values():
        surplus = abs(quota.straight - quota.reversed_) // 2
        if surplus:
            common = quota.straight > quota.reversed_
            free = ((n, order_of(shown)) for n, shown in load.tx.rows(_FREE_SLOTS, quota=quota.n))
            turned = islice(((n, order) for n, order in free if is_straight(order) == common), surplus)
            load.tx.do_many(
                _TURN_ROUND, [{"number": n, "new_shown": order_text(order[::-1])} for n, order in turned]
            )


_slots_of_quota = select(func.count()).select_from(slots).where(slots.c.quota == quotas.c.n)
_COUNT_WANTED = update(quotas).values(
    wanted=_slots_of_quota.where(slots.c.state != "retired").scalar_subquery(),
    free=_slots_of_quota.where(slots.c.state == "free").scalar_subquery(),
)
_GROUPS_WANTED = (
    select(quotas.c.arm, quotas.c.group_name, func.max(quotas.c.wanted - quotas.c.done))
    .where(quotas.c.is_wanted.is_(True), quotas.c.wanted > 0)
    .group_by(quotas.c.arm, quotas.c.group_name)
)
_SET_GROUPS = text(
    "INSERT INTO arms (name, groups_open) VALUES (:arm, :count) "
    "ON CONFLICT (name) DO UPDATE SET groups_open = :count"
)


def _count_groups(load: _Load) -> None:
    """Count the groups of each arm that annotators have before them: so many judgments each gives.

    Where more was loaded into a study, what is complete is none of them, nor is what is asked again.
    """
    wanted = load.tx.rows(_GROUPS_WANTED)
    for arm in load.caps.arms:
        own = [(group, left > 0) for of, group, left in wanted if of == arm]
        to_come = sum(is_open for group, is_open in own if not addendum_asking(group))
        load.tx.do(_SET_GROUPS, arm=arm, count=to_come or len(own))
