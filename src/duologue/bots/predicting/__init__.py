"""Asking a bot for predictions on a test set that it never sees."""
