"""Small studies to serve in tests: two or three bots, a few dialogues each, onboarding comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, zip_longest
from pathlib import Path

from duologue.dialogues import Dialogue, Speaker, Turn, write_dialogues
from duologue.judgments import Role
from duologue.protocols import Item, write_items
from duologue.studies import Study, load_study

TURNS = ("hello there", "oh hello, how are you?", "fine, and you?", "never better")


def make_study(
    folder: Path,
    *,
    bots: Sequence[str] = ("ann", "bob"),
    per_matchup: int = 4,
    onboarding: int = 2,
    attention: int = 0,
    texts: Sequence[str] = TURNS,
    images: Sequence[str | None] = (),
    study: str = "",
    rest: str = "",
) -> Study:
    """A study that can be served.

    Args:
        folder: Where to.
        bots: The bots, all compared with each other.
        per_matchup: Pairings for each matchup, each with dialogues of its own.
        onboarding: Onboarding items; the first of the bots is the better one in them.
        attention: Attention checks, likewise.
        texts: What is said, in turns, in every dialogue.
        images: What is shown with the first turns.
        study: More lines for the ``[study]`` table.
        rest: More tables.
    """
    (folder / "dialogues").mkdir(parents=True)
    (folder / "study.toml").write_text(
        f'[study]\nname = "tested"\nseed = 7\n{study}\n{rest}', encoding="utf-8"
    )
    made = load_study(folder)
    items = list(_items(bots, per_matchup, onboarding, attention))
    for bot in dict.fromkeys(bots):
        names = {
            name for item in items for name, of in zip(item.dialogues, item.bots, strict=True) if of == bot
        }
        write_dialogues(
            (_dialogue(name, bot, texts, images) for name in sorted(names)),
            folder / "dialogues" / f"{bot}.jsonl",
            format="duologue",
        )
    write_items(items, made.items_path)
    return made


def _items(bots: Sequence[str], per_matchup: int, onboarding: int, attention: int) -> Iterable[Item]:
    better, worse = bots[0], bots[1]
    roles: list[Role] = ["onboarding"] * onboarding
    roles += ["attention"] * attention
    for number, role in enumerate(roles):
        yield Item(
            id=f"o{number}",
            group=_group(better, worse),
            bots=(better, worse),
            dialogues=(f"{better}-o{number}", f"{worse}-o{number}"),
            judged=("judged", "judged"),
            role=role,
            gold=0,
        )
    for one, other in combinations(bots, 2):
        for number in range(per_matchup):
            yield Item(
                id=f"{one}-{other}-{number}",
                group=_group(one, other),
                bots=(one, other),
                dialogues=(f"{one}-{other}-{number}-1", f"{other}-{one}-{number}-2"),
                judged=("judged", "judged"),
            )


def _group(one: str, other: str) -> str:
    return "__vs__".join(sorted((one, other)))


def _dialogue(name: str, bot: str, texts: Sequence[str], images: Sequence[str | None]) -> Dialogue:
    return Dialogue(
        id=name,
        bot=bot,
        kind="live-chat",
        judged="judged",
        speakers=(Speaker("person"), Speaker("judged", bot)),
        turns=tuple(
            Turn("judged" if number % 2 else "person", text, image)
            for number, (text, image) in enumerate(zip_longest(texts, images[: len(texts)]))
        ),
    )
