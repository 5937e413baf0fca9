"""Taking dialogues out of a study together with the items that use them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from duologue.dialogues import index_dialogues, remove_dialogues
from duologue.errors import DesignError, NotFound
from duologue.protocols import items_drawn_from, read_items, write_items
from duologue.studies.model import Study


@dataclass(frozen=True, slots=True)
class StudyRemoval:
    """What was taken out of a study."""

    by_bot: Mapping[str, int]
    items: int
    """Items that used one of the dialogues, and went with them."""
    shown: int
    """Dialogues among them that annotators have seen; what was judged about them stays, and counts."""

    @property
    def dialogues(self) -> int:
        """How many dialogues were taken out."""
        return sum(self.by_bot.values())


def remove_from_study(
    study: Study,
    ids: Collection[str],
    *,
    reason: str,
    at: datetime,
    shown: Collection[str] = (),
    even_shown: bool = False,
) -> StudyRemoval:
    """Take dialogues out of a study, and the items that use them out of its file of items.

    Args:
        study: The study.
        ids: The dialogues.
        reason: Why; it is kept with them and reported.
        at: When.
        shown: Dialogues that annotators have seen.
        even_shown: Take out also those that annotators have seen; their judgments stay, and count.

    Raises:
        DesignError: No reason is given, or annotators have seen one of the dialogues; nothing is taken out.
        NotFound: There is no such dialogue in the study; nothing is taken out.
    """
    wanted = frozenset(ids)
    if not reason.strip():
        raise DesignError("say why the dialogues are taken out (--reason): it is reported with their number.")
    if missing := sorted(wanted - {head.id for head in index_dialogues(study.folder)}):
        raise NotFound("dialogue", missing[0])
    seen = sorted(wanted & set(shown))
    if seen and not even_shown:
        raise DesignError(
            f"annotators have seen {len(seen):,} of these dialogues, {seen[0]!r} first; nothing was taken "
            "out. With --even-judged they are shown to nobody any more, while what was judged about them "
            "stays and counts; `duologue judgments exclude` excludes such judgments."
        )
    items = _drop_items(study, wanted)
    by_bot = remove_dialogues(study.folder, wanted, reason=reason.strip(), at=at)
    return StudyRemoval(by_bot, items, len(seen))


def _drop_items(study: Study, gone: frozenset[str]) -> int:
    """Take out the items that need one of the dialogues; items that are drawn are drawn anew anyway."""
    path = study.items_path
    if not path.exists() or items_drawn_from(path):
        return 0
    before = list(read_items(path))
    kept = [item for item in before if gone.isdisjoint(item.dialogues)]
    if len(kept) < len(before):
        write_items(kept, path)
    return len(before) - len(kept)
