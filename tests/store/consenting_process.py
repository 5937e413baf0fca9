"""People who come to one study at once: ``python -m tests.store.consenting_process ADDRESS CAPS TOKEN…``.

They say "ready", wait for a line on standard input, agree all at the same moment, and fill in the form where
there is one. Where each of them stands then is told on standard output, a line each.
"""

import asyncio
import sys
from dataclasses import replace

from duologue.store import FormStation, Station, Store, fill_in_form, give_consent, open_store
from duologue.studies import StudyRules
from tests.store.small_study import CAPS, SCREENED

ONE_EACH = {
    "items": replace(CAPS, max_judgments=1),
    "forms": replace(CAPS, max_judgments=1, forms_before=("you",)),
    "forms and onboarding": replace(SCREENED, max_judgments=1, forms_before=("you",)),
}
"""Rules of studies in which everybody judges one item."""


async def come(store: Store, token: str, caps: StudyRules) -> tuple[Station, Station]:
    """Where somebody stands who has agreed, and where after the form."""
    agreed = await store.run_async(give_consent(token, caps))
    if not isinstance(agreed, FormStation):
        return agreed, agreed
    filled = fill_in_form(token, caps, form="you", answers={"work": "yes"})
    return agreed, await store.run_async(filled)


async def come_together(address: str, caps: StudyRules, tokens: list[str]) -> None:
    with open_store(address) as store:
        print("ready", flush=True)
        sys.stdin.readline()
        for agreed, filled in await asyncio.gather(*(come(store, token, caps) for token in tokens)):
            print(type(agreed).__name__, type(filled).__name__)


if __name__ == "__main__":
    asyncio.run(come_together(sys.argv[1], ONE_EACH[sys.argv[2]], sys.argv[3:]))
