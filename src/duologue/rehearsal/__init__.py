"""Rehearsal: simulated annotators walk the real pages of a study before anybody is paid."""
