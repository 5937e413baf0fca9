"""Stopping early: anytime-valid, at agreed looks, and what peeking does."""
