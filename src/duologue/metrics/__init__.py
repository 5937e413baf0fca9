"""Metrics: what can be counted in dialogues without asking anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.metrics.agreement.correlating import (
        ScoreCorrelation,
        ScoreCorrelations,
        correlate_metrics,
        is_lower_better,
    )
    from duologue.metrics.agreement.items import ScoredRow, ScoredRows, read_scored_rows
    from duologue.metrics.corpus import corpus_dialogues
    from duologue.metrics.length import LengthTally, turn_lengths
    from duologue.metrics.logs.counting import SIDES, CommonWords, Side, count_dialogue
    from duologue.metrics.logs.meaning import ALIKE, CONTRADICTS, MeaningModels, MeaningVectors
    from duologue.metrics.logs.results import LOG_STATISTICS, BotLogs, LogFigure, LogResults
    from duologue.metrics.logs.running import (
        LogFile,
        MakeMeaning,
        common_words,
        log_statistics,
        log_statistics_of_files,
    )
    from duologue.metrics.logs.tally import LogTally
    from duologue.metrics.memorising import Memorisation, MemorisationTally, memorisation
    from duologue.metrics.predictions.candidates import DISTRACTORS, shown_candidates, with_distractors
    from duologue.metrics.predictions.perplexity import WordDictionary, split_words
    from duologue.metrics.predictions.ranking import rank_of_gold
    from duologue.metrics.predictions.reading import read_predictions, read_test_set
    from duologue.metrics.predictions.records import (
        PREDICTIONS_FORMAT,
        ExampleSet,
        HeldOutExample,
        Prediction,
        Predictions,
    )
    from duologue.metrics.predictions.results import (
        AttackResult,
        Change,
        MetricResult,
        MetricsResults,
        ToyBaseline,
    )
    from duologue.metrics.predictions.running import CUTOFFS, MetricMeasurements, run_metrics
    from duologue.metrics.predictions.toy import PUBLISHED_REPLY, ToyReply, toy_reply
    from duologue.metrics.repetition import (
        Degeneration,
        DegenerationTally,
        degeneration,
        find_loop,
        repetition_in,
    )
    from duologue.metrics.texts.distinct import CorpusDistinct, corpus_distinct, distinct_within
    from duologue.metrics.texts.f1 import exact_matches, f1, f1_scores
    from duologue.metrics.texts.machine_translation import TranslationMetric
    from duologue.metrics.texts.meteor import Meteor
    from duologue.metrics.texts.normalising import normal_text, normal_texts, normal_words
    from duologue.metrics.texts.rouge import rouge_l, rouge_l_scores
    from duologue.metrics.words import plain_words, words_of

__all__ = [
    "ALIKE",
    "CONTRADICTS",
    "CUTOFFS",
    "DISTRACTORS",
    "LOG_STATISTICS",
    "PREDICTIONS_FORMAT",
    "PUBLISHED_REPLY",
    "SIDES",
    "AttackResult",
    "BotLogs",
    "Change",
    "CommonWords",
    "CorpusDistinct",
    "Degeneration",
    "DegenerationTally",
    "ExampleSet",
    "HeldOutExample",
    "LengthTally",
    "LogFigure",
    "LogFile",
    "LogResults",
    "LogTally",
    "MakeMeaning",
    "MeaningModels",
    "MeaningVectors",
    "Memorisation",
    "MemorisationTally",
    "Meteor",
    "MetricMeasurements",
    "MetricResult",
    "MetricsResults",
    "Prediction",
    "Predictions",
    "ScoreCorrelation",
    "ScoreCorrelations",
    "ScoredRow",
    "ScoredRows",
    "Side",
    "ToyBaseline",
    "ToyReply",
    "TranslationMetric",
    "WordDictionary",
    "common_words",
    "corpus_dialogues",
    "corpus_distinct",
    "correlate_metrics",
    "count_dialogue",
    "degeneration",
    "distinct_within",
    "exact_matches",
    "f1",
    "f1_scores",
    "find_loop",
    "is_lower_better",
    "log_statistics",
    "log_statistics_of_files",
    "memorisation",
    "normal_text",
    "normal_texts",
    "normal_words",
    "plain_words",
    "rank_of_gold",
    "read_predictions",
    "read_scored_rows",
    "read_test_set",
    "repetition_in",
    "rouge_l",
    "rouge_l_scores",
    "run_metrics",
    "shown_candidates",
    "split_words",
    "toy_reply",
    "turn_lengths",
    "with_distractors",
    "words_of",
]

__getattr__ = lazy_front(__name__)
