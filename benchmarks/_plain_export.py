"""The export as a plain loop over one query writes it; nothing of Duologue is used.

python -m benchmarks._plain_export jsonl study.db out.jsonl
"""

from __future__ import annotations

import csv
import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path


def plain_rows(path: Path) -> Iterator[dict[str, object]]:
    """The rows of the export, as a plain loop over one query makes them."""
    with closing(sqlite3.connect(path)) as database:
        question = "Who would you prefer to talk to for a long conversation?"
        for (
            judgment, arm, annotator, kind, body, answer, shown, reason, seconds, seconds_kind, at, revision,
            role, is_correct, excluded,
        ) in database.execute(
            "SELECT j.id, j.arm, a.id, a.kind, i.body, j.answer, j.shown, r.text, j.seconds, j.seconds_kind, "
            "j.at, j.revision, j.role, j.is_correct, (SELECT rule FROM rules_in_force AS f WHERE "
            "f.judgment = j.n ORDER BY exclusion LIMIT 1) FROM judgments AS j "
            "JOIN annotators AS a ON a.n = j.annotator JOIN items AS i ON i.n = j.item "
            "LEFT JOIN reasons AS r ON r.judgment = j.n ORDER BY j.n"
        ):  # fmt: skip
            item = json.loads(body)
            side = json.loads(answer)["side"]
            order = [int(slot) for slot in shown.split(",")]
            winner = order[0] if side is None else order[side - 1]
            loser = 1 - winner
            yield {
                "judgment": judgment,
                "arm": arm,
                "question": question,
                "matchup": item["group"],
                "outcome": "tie" if side is None else "win",
                "winner": item["bots"][winner],
                "loser": item["bots"][loser],
                "winner_side": order.index(winner) + 1,
                "chosen_side": side,
                "annotator": annotator,
                "annotator_kind": kind,
                "pairing": item["id"],
                "winner_dialogue": item["dialogues"][winner],
                "loser_dialogue": item["dialogues"][loser],
                "reason": reason or "",
                "seconds": seconds,
                "seconds_kind": seconds_kind,
                "at": at,
                "revision": revision,
                "is_onboarding": role == "onboarding",
                "is_correct": None if is_correct is None else bool(is_correct),
                "excluded": excluded or "",
            }


def write_plainly(kind: str, database: Path, out: Path) -> None:
    """Write all judgments as CSV or JSON lines."""
    with out.open("w", encoding="utf-8", newline="") as file:
        rows = plain_rows(database)
        if kind == "jsonl":
            for row in rows:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
            return
        writer = csv.writer(file, lineterminator="\n")
        for number, row in enumerate(rows):
            if number == 0:
                writer.writerow(row)
            writer.writerow(
                [{True: "true", False: "false"}[v] if isinstance(v, bool) else v for v in row.values()]
            )


if __name__ == "__main__":
    write_plainly(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
