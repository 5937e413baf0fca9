"""Stopping early: anytime-valid, and what peeking does."""
