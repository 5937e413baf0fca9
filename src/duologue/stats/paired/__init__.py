"""Bots selected or not on the same turns: McNemar's test and Cochran's Q."""
