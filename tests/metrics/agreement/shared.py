"""Other people's ratings as items with scores, where they are at hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from duologue.metrics import HeldOutExample, Prediction, Predictions, ScoredRow, ScoredRows, run_metrics

DATA = Path(__file__).parents[4] / "shared" / "data"
REFERENCE = "Original Ground Truth"


def usr_items(file: str) -> ScoredRows:
    """Replies of USR (Mehri and Eskenazi 2020) but for the reference: metrics, and the mean rating."""
    contexts = json.loads((DATA / "usr" / file).read_text(encoding="utf-8"))
    models = dict.fromkeys(one["model"] for context in contexts for one in context["responses"])
    return ScoredRows(
        tuple(item for model in models if model != REFERENCE for item in _of_model(contexts, model))
    )


def _of_model(contexts: list[dict[str, object]], model: str) -> Iterator[ScoredRow]:
    by_model = [
        {one["model"]: one for one in context["responses"]}  # type: ignore[attr-defined]
        for context in contexts
    ]
    examples = tuple(
        HeldOutExample(str(place), str(place), references=(found[REFERENCE]["response"].strip(),))
        for place, found in enumerate(by_model)
    )
    answers = tuple(Prediction(found[model]["response"].strip()) for found in by_model)
    measured = run_metrics(Predictions(model, examples, answers), draws=100)
    for place, found in enumerate(by_model):
        scores = {
            name: float(values[place])
            for name, values in measured.per_example.items()
            if values[place] == values[place]
        }
        rated = found[model]["Overall"]
        yield ScoredRow(model, str(place), str(place), {**scores, "overall": sum(rated) / len(rated)})


def conture_turns() -> ScoredRows:
    """Bot turns of ConTurE (Ghazarian et al. 2022): words, the turn's rating, the dialogue's."""
    items = []
    for dialogue in json.loads((DATA / "conture" / "data.json").read_text(encoding="utf-8")):
        whole = [float(one["human (overall)"]) for one in dialogue["dialog_ratings"]]
        for place, turn in enumerate(dialogue["turns"]):
            said = turn["chatbot"].removeprefix("Chatbot:").split()
            scores = {
                "words": float(len(said)),
                "turn": float(turn["overall impression"]),
                "dialogue": sum(whole) / len(whole),
            }
            items.append(ScoredRow("", str(dialogue["dialog_id"]), str(place), scores))
    return ScoredRows(tuple(items))
