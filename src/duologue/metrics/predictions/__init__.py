"""Predictions of bots on a test set: records, scores, intervals, results."""
