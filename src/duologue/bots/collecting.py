"""Collecting self-chats for a study: what is missing is held, what is there is kept, nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from duologue.bots.briefing import Briefing
from duologue.bots.builtin import openers
from duologue.bots.holding import HeldChat, HoldingTask, hold_elsewhere, hold_here
from duologue.bots.journal import (
    FOLDER,
    Journal,
    open_journal,
    plan_name,
    planned_number,
    write_failures,
)
from duologue.bots.self_chatting import FailedChat, First, check_exchanges, plan_chats
from duologue.bots.settings import AnsweringSettings
from duologue.dialogues import (
    Dialogue,
    import_dialogues,
    is_cut,
    study_dialogues,
    write_dialogues,
)
from duologue.engine import Executor
from duologue.errors import DesignError

REPLIES = "replies"
"""The folder, beside the journals, in which replies are kept."""


@dataclass(frozen=True, slots=True)
class SelfChats:
    """Which self-chats are wanted of each bot.

    Without briefings of yours, dialogues begin with one of the built-in openers.
    """

    n: int
    exchanges: int
    seed: int
    briefings: tuple[Briefing, ...] = ()
    first: First = "other"
    partner: AnsweringSettings | None = None


@dataclass(frozen=True, slots=True)
class CollectedBot:
    """What came of one bot's self-chats.

    ``made`` were held this time, ``kept`` were there before, ``failed`` a bot did not finish, ``left`` were
    not tried because it failed too often. ``other`` self-chats of this bot were made with other settings, and
    are not counted as kept.
    Of the ``replies`` in those that are there, ``cut`` were stopped at the bot's limit of tokens.
    """

    bot: str
    made: int
    kept: int
    failed: tuple[FailedChat, ...]
    left: int
    other: int
    replies: int = 0
    cut: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether every self-chat that was wanted is there."""
        return not self.failed and not self.left


OnProgress = Callable[[int, int, int], None]
"""Told how many self-chats are finished, how many failed, and how many are wanted."""


def collect_self_chats(
    folder: Path | str,
    bots: Sequence[AnsweringSettings],
    wanted: SelfChats,
    *,
    executor: Executor | None = None,
    is_partial_welcome: bool = False,
    on_progress: OnProgress | None = None,
) -> tuple[CollectedBot, ...]:
    """Hold the self-chats that a study lacks and add them to its dialogues.

    Number i of every bot has the same briefing, so matchups are comparable. Every finished dialogue is on
    disk at once: a program that is interrupted or killed, and run again, does only what is missing and
    leaves the same files. A bot's dialogues join those of the study, in the order of their numbers, when all
    of them are there; those that failed are recorded with their cause and tried again the next time.

    Args:
        folder: The study's folder.
        bots: The bots.
        wanted: How many, how long, from where.
        executor: Where they are held; here, all at once as far as the bots allow, when not given.
        is_partial_welcome: Whether a bot's dialogues join those of the study although some are missing.
        on_progress: Told after every self-chat.

    Raises:
        DesignError: Nothing is wanted, or another program is at it.
        BotError: A bot cannot be opened.
        StudyNotFound: The folder holds no ``study.toml``.
    """
    folder = Path(folder).absolute()  # a bot's own code may take the process to another folder
    check_exchanges(wanted.exchanges)
    if wanted.n < 1:
        raise DesignError(f"at least one self-chat must be wanted, and {wanted.n} are.")
    names = [bot.name for bot in bots]
    if len(set(names)) < len(names):
        raise DesignError(f"each bot can be named once: {', '.join(names)}.")
    with ExitStack() as stack:
        plans = {plan.name: plan for plan in (_open_plan(stack, folder, bot, wanted) for bot in bots)}
        progress = _SelfChatProgress(wanted.n * len(plans), on_progress)
        progress.tell(finished=sum(plan.finished for plan in plans.values()))
        tasks = [plan.task(wanted, folder) for plan in plans.values()]

        def take(chat: HeldChat) -> None:
            plans[chat.plan].take(chat)
            progress.count(chat)

        if executor is None:
            hold_here(tasks, take)
        else:
            hold_elsewhere(tasks, executor, take)
        failures = [(name, one) for name, plan in plans.items() for one in plan.collected().failed]
        write_failures(folder, plans, failures)
        for plan in plans.values():
            if is_partial_welcome or plan.is_complete:
                plan.join(folder)
        return tuple(plan.collected() for plan in plans.values())


class _SelfChatPlan:
    """One bot's self-chats: those among the study's dialogues, those in the journal, and the rest."""

    def __init__(self, bot: AnsweringSettings, name: str, wanted: SelfChats, journal: Journal) -> None:
        self.bot, self.name, self.journal = bot, name, journal
        self.numbers = range(wanted.n)
        self.joined: set[int] = set()
        self.failed: list[FailedChat] = []
        self.made = self.other = 0
        self._kept = 0
        self._replies: dict[int, int] = {}
        self._cut: dict[int, int] = {}
        for number, dialogue in journal.finished.items():
            self._count(number, dialogue)

    def see(self, dialogue: Dialogue) -> None:
        """Look at a dialogue that is among the study's."""
        if dialogue.bot != self.bot.name or dialogue.kind != "self-chat":
            return
        number = planned_number(dialogue, self.name)
        if number is not None:
            self.joined.add(number)
            self._count(number, dialogue)
        else:
            self.other += 1

    def _count(self, number: int, dialogue: Dialogue) -> None:
        briefing = dialogue.extras.get("briefing")
        has_opener = isinstance(briefing, dict) and bool(briefing.get("opener"))
        self._replies[number] = len(dialogue.turns) - has_opener
        self._cut[number] = sum(is_cut(turn) for turn in dialogue.turns)

    @property
    def finished(self) -> int:
        """How many of those that are wanted are there."""
        return sum(number in self.joined or number in self.journal.finished for number in self.numbers)

    @property
    def is_complete(self) -> bool:
        """Whether all of them are."""
        return self.finished == len(self.numbers)

    def task(self, wanted: SelfChats, folder: Path) -> HoldingTask:
        """What is still to be held."""
        self._kept = self.finished
        there = self.joined | self.journal.finished.keys()
        missing = [one for one in self.numbers if one not in there]
        partner = wanted.partner
        chats = plan_chats(
            self.bot.name,
            missing,
            exchanges=wanted.exchanges,
            briefings=wanted.briefings or _built_in(),
            seed=wanted.seed,
            partner=partner.name if partner is not None else None,
            first=wanted.first,
        )
        bots = (self.bot,) if partner is None or partner.name == self.bot.name else (self.bot, partner)
        cache = folder / FOLDER / REPLIES
        return HoldingTask(self.name, bots, chats, folder, cache)

    def take(self, chat: HeldChat) -> None:
        """Write down what came of a self-chat."""
        if isinstance(chat.outcome, FailedChat):
            self.failed.append(chat.outcome)
        else:
            self.journal.add(chat.outcome, chat.number)
            self._count(chat.number, chat.outcome)
            self.made += 1

    def join(self, folder: Path) -> None:
        """Add the finished dialogues to the study's, in the order of their numbers."""
        ready = [dialogue for number, dialogue in self.journal.in_order() if number in self.numbers]
        if not ready:
            return
        path = self.journal.path.with_suffix(".ready.jsonl")
        write_dialogues(ready, path)
        import_dialogues([path], folder, format="duologue", max_turn_chars=2**63)
        path.unlink()
        self.journal.keep_only(set(self.journal.finished) - set(self.numbers))

    def collected(self) -> CollectedBot:
        """What came of it all."""
        failed = tuple(sorted((one for one in self.failed if not one.is_left), key=lambda one: one.number))
        left = sum(one.is_left for one in self.failed)
        replies = sum(self._replies.get(number, 0) for number in self.numbers)
        cut = sum(self._cut.get(number, 0) for number in self.numbers)
        return CollectedBot(
            self.bot.name,
            self.made,
            self._kept,
            failed,
            left,
            self.other,
            replies,
            cut,
        )


class _SelfChatProgress:
    def __init__(self, total: int, on_progress: OnProgress | None) -> None:
        self._total, self._on_progress = total, on_progress
        self._finished = self._failed = 0

    def tell(self, *, finished: int) -> None:
        self._finished = finished
        if self._on_progress is not None:
            self._on_progress(self._finished, self._failed, self._total)

    def count(self, chat: HeldChat) -> None:
        is_failed = isinstance(chat.outcome, FailedChat)
        self._failed += is_failed
        self.tell(finished=self._finished + (not is_failed))


def _open_plan(stack: ExitStack, folder: Path, bot: AnsweringSettings, wanted: SelfChats) -> _SelfChatPlan:
    dialogues = study_dialogues(folder)
    name = _plan_of(bot, wanted)
    plan = _SelfChatPlan(bot, name, wanted, stack.enter_context(open_journal(folder, name)))
    for dialogue in dialogues:
        plan.see(dialogue)
    return plan


def _plan_of(bot: AnsweringSettings, wanted: SelfChats) -> str:
    """A name for all that the bot's self-chats depend on; their number is not among it."""
    return plan_name(
        {
            "bot": [bot.name, bot.identity],
            "partner": [wanted.partner.name, wanted.partner.identity] if wanted.partner else None,
            "exchanges": wanted.exchanges,
            "seed": wanted.seed,
            "first": wanted.first,
            "briefings": [asdict(briefing) for briefing in wanted.briefings or _built_in()],
        }
    )


def _built_in() -> tuple[Briefing, ...]:
    return tuple(Briefing(opener=opener) for opener in openers())
