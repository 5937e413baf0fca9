"""A study of phrasings before anybody judges: its file, its pairs, what it can tell."""
