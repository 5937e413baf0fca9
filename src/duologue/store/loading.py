"""Putting dialogues and items into the database before they are handed out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, repeat
from typing import TypeVar

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    case,
    delete,
    func,
    insert,
    not_,
    or_,
    select,
    text,
    update,
)

from duologue.dialogues import Dialogue
from duologue.errors import ContentChanged, InputError, NotFound
from duologue.protocols import Item, item_of, item_text
from duologue.seeds import first_numbers
from duologue.store.database import Row, Transaction
from duologue.store.encoding import dialogue_text, order_of, order_text
from duologue.store.held_dialogues import SECOND
from duologue.store.orders import balanced_order, is_straight
from duologue.store.records import Loaded
from duologue.store.schema import (
    assignments,
    chats,
    dialogues,
    item_dialogues,
    items,
    onboarding_items,
    quotas,
    seen_dialogues,
    slots,
)
from duologue.studies import Caps

T = TypeVar("T")
R = TypeVar("R", Dialogue, Item)

BATCH = 500
"""Rows that are looked up and written together."""

_LATER_COPY = 1 << 32
"""Every item gets its first judgment before any gets its second."""


_PLACES = tuple(f"key{place}" for place in range(BATCH))


def _one_of_a_batch(column: ColumnElement[str] | ColumnElement[int]) -> ColumnElement[bool]:
    return column.in_([bindparam(place) for place in _PLACES])


def _batch_values(keys: Sequence[object]) -> dict[str, object]:
    """Values for `_one_of_a_batch`: the last key fills up."""
    return dict(zip(_PLACES, chain(keys, repeat(keys[-1])), strict=False))


def _batches(values: Iterable[T]) -> Iterator[list[T]]:
    source = iter(values)
    while batch := list(islice(source, BATCH)):
        yield batch


class _Noted:
    """Which rows one loading has met so far, by their numbers: a byte for each."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._met = bytearray()

    def note(self, numbers: Mapping[str, int]) -> None:
        """These have been met now, by id.

        Raises:
            InputError: One of them had been met before.
        """
        highest = max(numbers.values(), default=0)
        if highest >= len(self._met):
            self._met.extend(bytes(highest + 1 - len(self._met)))
        for key, number in numbers.items():
            if self._met[number]:
                raise _twice(self._noun, key)
            self._met[number] = 1

    def has(self, number: int) -> bool:
        """Whether a row has been met."""
        return number < len(self._met) and self._met[number] == 1


def _by_id(noun: str, batch: Sequence[R]) -> dict[str, R]:
    found = {record.id: record for record in batch}
    if len(found) < len(batch):
        raise _twice(noun, Counter(record.id for record in batch).most_common(1)[0][0])
    return found


def _twice(noun: str, key: str) -> InputError:
    return InputError(f"two {noun}s have the id {key!r}: every {noun} needs an id of its own.")


_HIGHEST_DIALOGUE = select(func.coalesce(func.max(dialogues.c.n), 0))
_KNOWN_DIALOGUES = select(dialogues.c.id, dialogues.c.n, dialogues.c.content_hash).where(
    _one_of_a_batch(dialogues.c.id)
)
_WAS_DIALOGUE_SHOWN = (
    select(seen_dialogues.c.annotator).where(seen_dialogues.c.dialogue == bindparam("number")).limit(1)
)
_REPLACE_DIALOGUE = (
    update(dialogues)
    .where(dialogues.c.n == bindparam("number"))
    .values(bot=bindparam("new_bot"), content_hash=bindparam("new_hash"), body=bindparam("new_body"))
)


def load_dialogues(tx: Transaction, given: Iterable[Dialogue]) -> Loaded:
    """Store dialogues; those that are there already are kept, and changed ones replaced while unseen.

    What was said in live chats of this study is kept as it is, whatever the file says.

    Raises:
        ContentChanged: A dialogue that annotators have seen reads differently now.
        InputError: Two dialogues have the same id.
    """
    noted, added, kept = _Noted("dialogue"), 0, 0
    highest = _number(tx, _HIGHEST_DIALOGUE)
    for batch in _batches(given):
        wanted = _by_id("dialogue", batch)
        known = {row[0]: row for row in tx.rows(_KNOWN_DIALOGUES, **_batch_values(list(wanted)))}
        numbers = {key: int(row[1]) for key, row in known.items()}
        new = [dialogue for dialogue in batch if dialogue.id not in known]
        numbers |= {dialogue.id: highest + place for place, dialogue in enumerate(new, 1)}
        noted.note(numbers)
        rows = [_dialogue_row(numbers[one.id], one) for one in new]
        tx.add_many(dialogues, ("n", "id", "bot", "content_hash", "body"), rows)
        for key, number, content_hash in known.values():
            if wanted[key].content_hash != content_hash:
                _replace_dialogue(tx, number, wanted[key])
        highest += len(new)
        added += len(new)
        kept += len(known)
    return Loaded(added, kept)


def _number(tx: Transaction, query: Select[tuple[int]]) -> int:
    row = tx.row(query)
    assert row is not None  # noqa: S101  it is asked for one number
    return int(row[0])


def _dialogue_row(number: int, dialogue: Dialogue) -> tuple[object, ...]:
    return number, dialogue.id, dialogue.bot, dialogue.content_hash, dialogue_text(dialogue)


_WAS_HELD_HERE = select(chats.c.n).where(chats.c.id == bindparam("chat")).limit(1)


def _replace_dialogue(tx: Transaction, number: int, dialogue: Dialogue) -> None:
    if tx.row(_WAS_HELD_HERE, chat=dialogue.id.removesuffix(SECOND)) is not None:
        return  # a live chat of this study: it may have been erased here since it was collected
    if tx.row(_WAS_DIALOGUE_SHOWN, number=number) is not None:
        raise ContentChanged("dialogue", dialogue.id)
    tx.do(
        _REPLACE_DIALOGUE,
        number=number,
        new_bot=dialogue.bot,
        new_hash=dialogue.content_hash,
        new_body=dialogue_text(dialogue),
    )


_DIALOGUE_NUMBERS = select(dialogues.c.id, dialogues.c.n).where(_one_of_a_batch(dialogues.c.id))
_KNOWN_ITEMS = select(items.c.id, items.c.n, items.c.body, items.c.is_retired).where(
    _one_of_a_batch(items.c.id)
)
_HIGHEST_ITEM = select(func.coalesce(func.max(items.c.n), 0))
_ADD_ONBOARDING_ITEM = insert(onboarding_items)
_SLOTS_OF_ITEMS = select(slots.c.item, slots.c.quota, slots.c.copy).where(_one_of_a_batch(slots.c.item))
_QUOTAS = select(quotas.c.arm, quotas.c.group_name, quotas.c.n)
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


@dataclass(slots=True)
class _Load:
    """One loading of items, as far as it has come."""

    tx: Transaction
    caps: Caps
    quotas: dict[tuple[str, str], _Quota]
    highest_item: int
    dialogues: dict[str, int] = field(default_factory=dict)
    """Numbers of the dialogues met so far."""
    noted: _Noted = field(default_factory=lambda: _Noted("item"))
    """Items met so far."""
    met: set[int] | None = None
    """In an empty store, hashes of the ids met so far: what is not among them need not be looked up."""
    counts: Counter[str] = field(default_factory=Counter)


def load_items(tx: Transaction, given: Iterable[Item], caps: Caps) -> Loaded:
    """Store items with a slot for every judgment that is wanted of them, in every arm.

    Items that are there already are kept. What the file, or the caps, no longer ask for is retired: handed
    out to nobody from now on. What was judged stays judged.

    Raises:
        ContentChanged: An item that annotators have seen is a different one now.
        InputError: Two items have the same id.
        NotFound: An item names a dialogue that is not loaded.
    """
    load = _Load(tx, caps, _quotas_so_far(tx), _number(tx, _HIGHEST_ITEM))
    is_first = load.highest_item == 0
    if is_first:
        load.met = set()
    for batch in _batches(given):
        _load_batch(load, batch)
    retired = 0
    if not is_first:  # in an empty store all that was loaded is wanted, and its orders are balanced
        retired = _retire_items(load)
        _settle_slots(load)
        _balance_orders(load)
    tx.do(_COUNT_WANTED)
    _count_groups(load)
    return Loaded(load.counts["added"], load.counts["kept"], retired)


def _quotas_so_far(tx: Transaction) -> dict[tuple[str, str], _Quota]:
    found = {(arm, group): _Quota(n) for arm, group, n in tx.rows(_QUOTAS)}
    by_number = {quota.n: quota for quota in found.values()}
    for number, shown, count in tx.rows(_SLOT_ORDERS):
        order = order_of(shown)
        if len(order) == 1:
            continue  # it has no reverse
        if is_straight(order):
            by_number[number].straight += count
        else:
            by_number[number].reversed_ += count
    for number, count in tx.rows(_SLOT_COUNTS):
        by_number[number].items = count
    return found


def _load_batch(load: _Load, batch: list[Item]) -> None:
    tx = load.tx
    wanted = _by_id("item", batch)
    known = _known_items(load, wanted)
    new = [item for item in batch if item.id not in known] if known else batch
    numbers = {key: int(row[1]) for key, row in known.items()}
    numbers |= {item.id: load.highest_item + place for place, item in enumerate(new, 1)}
    load.noted.note(numbers)
    load.highest_item += len(new)
    load.counts.update(added=len(new), kept=len(known))
    changed = [
        wanted[key] for key, _number, body, _is_retired in known.values() if _is_other(body, wanted[key])
    ]
    for item in changed:
        _replace_item(tx, number=numbers[item.id], item=item)
    _add_items(tx, new, numbers)
    _link_dialogues(load, new + changed, numbers)
    tx.do_many(_BRING_BACK, [{"number": row[1]} for row in known.values() if row[3]])
    _add_slots(load, batch, numbers, has_old=bool(known))


def _known_items(load: _Load, wanted: Mapping[str, Item]) -> dict[str, Row]:
    """The rows of those items that are stored."""
    if load.met is not None:
        hashes = set(map(hash, wanted))
        are_new = load.met.isdisjoint(hashes)
        load.met |= hashes
        if are_new:
            return {}
    return {row[0]: row for row in load.tx.rows(_KNOWN_ITEMS, **_batch_values(list(wanted)))}


def _is_other(body: str, item: Item) -> bool:
    return body != item_text(item) and item_of(body) != item


def _add_items(tx: Transaction, new: list[Item], numbers: dict[str, int]) -> None:
    rows = [(numbers[item.id], item.id, item.group, item.is_onboarding, item_text(item)) for item in new]
    tx.add_many(items, ("n", "id", "group_name", "is_onboarding", "body"), rows)
    onboarding = [(numbers[item.id],) for item in new if item.is_onboarding]
    tx.add_many(onboarding_items, ("item",), onboarding)


def _link_dialogues(load: _Load, some: list[Item], numbers: dict[str, int]) -> None:
    known = load.dialogues
    unknown = {key for item in some for key in item.dialogues if key not in known}
    for batch in _batches(sorted(unknown)):
        known.update(load.tx.rows(_DIALOGUE_NUMBERS, **_batch_values(batch)))
    for key in unknown:
        if key not in known:
            raise NotFound("dialogue", key)
    rows = [
        (numbers[item.id], place, known[key]) for item in some for place, key in enumerate(item.dialogues)
    ]
    load.tx.add_many(item_dialogues, ("item", "place", "dialogue"), rows)


_WAS_ITEM_HANDED_OUT = select(assignments.c.n).where(assignments.c.item == bindparam("number")).limit(1)
_CLEAR_ITEM = tuple(
    delete(table).where(table.c.item == bindparam("number"))
    for table in (item_dialogues, onboarding_items, slots)
)
_CHANGE_ITEM = (
    update(items)
    .where(items.c.n == bindparam("number"))
    .values(
        group_name=bindparam("new_group"),
        is_onboarding=bindparam("new_onboarding"),
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
        new_onboarding=item.is_onboarding,
        new_body=item_text(item),
    )
    if item.is_onboarding:
        tx.do(_ADD_ONBOARDING_ITEM, item=number)


_BRING_BACK = update(items).where(items.c.n == bindparam("number")).values(is_retired=False)


def _add_slots(load: _Load, some: list[Item], numbers: dict[str, int], *, has_old: bool) -> None:
    there: set[tuple[int, int, int]] = set()
    if has_old:
        keys = list(numbers.values())
        there = {
            (item, quota, copy) for item, quota, copy in load.tx.rows(_SLOTS_OF_ITEMS, **_batch_values(keys))
        }
    arms, copies = load.caps.arms, range(load.caps.annotations_per_item)
    wanted: list[tuple[_Quota, Item, int, int]] = []
    names: list[str] = []
    for item in some:
        if item.is_onboarding:
            continue
        number = numbers[item.id]
        for arm in arms:
            quota = _quota(load, arm, item.group)
            for copy in copies:
                if not there or (number, quota.n, copy) not in there:
                    wanted.append((quota, item, number, copy))
                    names.append(f"{arm}\0{item.id}\0{copy}")
    drawn = first_numbers(load.caps.seed, "order", names)
    rows = [_slot_row(*slot, lot) for slot, lot in zip(wanted, drawn, strict=True)]
    load.tx.add_many(slots, ("quota", "item", "copy", "position", "shown"), rows)


def _quota(load: _Load, arm: str, group: str) -> _Quota:
    found = load.quotas.get((arm, group))
    if found is None:
        row = load.tx.row(_ADD_QUOTA, arm=arm, group_name=group)
        assert row is not None  # noqa: S101  an insert that returns its number
        found = load.quotas[arm, group] = _Quota(int(row[0]))
    return found


def _slot_row(quota: _Quota, item: Item, number: int, copy: int, drawn: int) -> tuple[object, ...]:
    order = balanced_order(
        len(item.dialogues) or 1, draw=lambda: drawn, straight=quota.straight, reversed_=quota.reversed_
    )
    if is_straight(order):
        quota.straight += 1
    else:
        quota.reversed_ += 1
    quota.items += 1
    return quota.n, number, copy, copy * _LATER_COPY + quota.items, order_text(order)


_ITEMS_IN_USE = (
    select(items.c.n)
    .where(items.c.n > bindparam("after"), items.c.is_retired.is_(False))
    .order_by(items.c.n)
    .limit(100 * BATCH)
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
_GIVE_UP_SLOTS = (
    update(slots)
    .where(slots.c.is_wanted.is_(True), _is_superfluous)
    .values(is_wanted=False, state=case((slots.c.state == "free", "retired"), else_=slots.c.state))
)
_TAKE_SLOTS_BACK = (
    update(slots)
    .where(slots.c.is_wanted.is_(False), not_(_is_superfluous))
    .values(is_wanted=True, state=case((slots.c.state == "retired", "free"), else_=slots.c.state))
)


def _settle_slots(load: _Load) -> None:
    """Retire the free slots that items, arms or copies no longer ask for, and take back those they do."""
    for (arm, _group), quota in load.quotas.items():
        load.tx.do(_WANT_QUOTA, number=quota.n, wants=arm in load.caps.arms)
    load.tx.do(_GIVE_UP_SLOTS, copies=load.caps.annotations_per_item)
    load.tx.do(_TAKE_SLOTS_BACK, copies=load.caps.annotations_per_item)


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
_GROUPS_OPEN = (
    select(quotas.c.arm, func.count())
    .where(quotas.c.is_wanted.is_(True), quotas.c.wanted > 0)
    .group_by(quotas.c.arm)
)
_SET_GROUPS = text(
    "INSERT INTO arms (name, groups_open) VALUES (:arm, :count) "
    "ON CONFLICT (name) DO UPDATE SET groups_open = :count"
)


def _count_groups(load: _Load) -> None:
    counts: dict[str, int] = dict(load.tx.rows(_GROUPS_OPEN))
    for arm in load.caps.arms:
        load.tx.do(_SET_GROUPS, arm=arm, count=counts.get(arm, 0))
