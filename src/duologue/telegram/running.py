"""Running the Telegram connector beside the pages: settings, the loop that listens, start and end."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from duologue.back_off import back_off
from duologue.errors import StoreError, StudyError, TelegramError
from duologue.protocols import chat_plan, read_items
from duologue.server import Site
from duologue.store import fetch_fact, note_fact
from duologue.studies import Study, draw_items
from duologue.telegram.bot_api import PUBLIC_API, BotApi
from duologue.telegram.delivery import Delivery, note_trouble
from duologue.telegram.listening import Listener
from duologue.telegram.turn_taking import AccountLease
from duologue.telegram.updates import Update, read_update

TOKEN_VARIABLE = "DUOLOGUE_TELEGRAM_TOKEN"  # noqa: S105  the name of it
API_VARIABLE = "DUOLOGUE_TELEGRAM_API"
OFFSET_FACT = "telegram-offset"
"""Under which the store remembers which update comes next."""
WAIT_SECONDS = 50
"""How long Telegram holds a request for updates when there are none."""
FIRST_REST = 1.0
"""Seconds before Telegram or the database is tried again."""
SKIP_COMMAND = {"skip": "Skip a conversation"}
COMMANDS = {"start": "Begin, or go on", "stop": "End your part", "help": "What to do"}


@dataclass(frozen=True, slots=True)
class Telegram:
    """A bot account, to be run beside the pages: a side task of the application."""

    token: str = field(repr=False)
    address: str = PUBLIC_API
    wait_seconds: int = WAIT_SECONDS

    async def __call__(self, site: Site) -> None:
        """Serve the study through Telegram until cancelled; one process of the study at a time does."""
        await run_telegram(site, self)


def telegram_from(environment: Mapping[str, str]) -> Telegram:
    """The bot account that the environment names.

    Raises:
        TelegramError: There is no token, or the address of the API is not one.

    Example:
        >>> telegram_from({"DUOLOGUE_TELEGRAM_TOKEN": "123:abc"}).address
        'https://api.telegram.org'
    """
    token = environment.get(TOKEN_VARIABLE, "").strip()
    if not token:
        raise TelegramError("serve --telegram", f"{TOKEN_VARIABLE} is not set", status=401)
    if any(character.isspace() or character in "/?#" for character in token):
        raise TelegramError("serve --telegram", f"{TOKEN_VARIABLE} does not hold a token", status=401)
    address = environment.get(API_VARIABLE, "").strip() or PUBLIC_API
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise TelegramError("serve --telegram", f"{API_VARIABLE} is not the address of a server: {address}")
    return Telegram(token, address.rstrip("/"))


def check_telegram(study: Study, telegram: Telegram) -> str:
    """The link to the bot account, once the study and the token are known to be good.

    Raises:
        StudyError: There is something else to judge in the study than live chats.
        TelegramError: The token is not good, or Telegram is out of reach.
    """
    _check_items(study)
    if study.file.forms:
        raise StudyError(
            f"{study.folder}: forms cannot be filled in through Telegram, and this study has "
            f"{study.file.forms[0].name!r}. Serve it without --telegram, or take [[forms]] out of study.toml."
        )

    async def ask() -> str:
        async with BotApi(telegram.token, address=telegram.address) as api:
            return await api.username()

    return f"https://t.me/{asyncio.run(ask())}"


def _check_items(study: Study) -> None:
    draw_items(study)
    for item in read_items(study.items_path):  # any of them: chats may come first, and others after them
        plan = chat_plan(item)
        if plan is None:
            raise StudyError(
                f"{study.folder}: only live chats can be held through Telegram, and this study has finished "
                "dialogues to judge. Serve it without --telegram."
            )
        if len(item.bots) > 1 or plan.choose:
            raise StudyError(
                f"{study.folder}: in this study annotators choose between replies of bots or talk to several "
                "at once, which cannot be shown in Telegram. Serve it without --telegram."
            )


async def run_telegram(site: Site, telegram: Telegram) -> None:
    """Serve a study through Telegram until cancelled, in turn with other processes of the same study."""
    lease = AccountLease(site.store)
    async with BotApi(telegram.token, address=telegram.address) as api:
        while True:
            try:
                await lease.take()
                await _while_kept(lease, _serve(site, api, telegram))
            finally:
                await lease.give_back()


async def _while_kept(lease: AccountLease, work: Coroutine[object, object, None]) -> None:
    """Work until the lease is lost, or the work fails."""
    async with asyncio.TaskGroup() as group:
        working = group.create_task(work)
        await lease.keep()
        working.cancel()


async def _serve(site: Site, api: BotApi, telegram: Telegram) -> None:
    async with asyncio.TaskGroup() as tasks:
        delivery = Delivery(site, api, token=telegram.token, tasks=tasks)
        listener = Listener(site, api, delivery, token=telegram.token)
        await listener.resume()
        await api.use_long_polling()
        await api.set_commands(COMMANDS | (SKIP_COMMAND if site.study.caps.skips else {}))
        await _listen(site, api, listener, telegram.wait_seconds)


async def _listen(site: Site, api: BotApi, listener: Listener, wait_seconds: int) -> None:
    """Take updates in their order. One is acknowledged only when what it asked for is on the disk."""
    noted = await site.store.run_async(fetch_fact(OFFSET_FACT))
    offset, failed = int(noted) if noted else None, 0
    while True:
        try:
            for record in await api.updates(offset=offset, wait_seconds=wait_seconds):
                update = read_update(record)
                await _take(site, listener, update)
                offset = update.number + 1
            failed = 0
        except (TelegramError, StoreError) as error:
            note_trouble(site, error)
            failed += 1
            await asyncio.sleep(back_off(failed, first=FIRST_REST))
        if offset is not None and str(offset) != noted:
            noted = str(offset)
            await site.store.run_async(note_fact(OFFSET_FACT, noted))


async def _take(site: Site, listener: Listener, update: Update) -> None:
    """Take one update; one that we stumble over is written down and does not stop the others."""
    try:
        await listener.take(update)
    except (TelegramError, StoreError):
        raise
    except Exception as error:
        if site.log is not None:
            site.log.failure(error, route="telegram")
