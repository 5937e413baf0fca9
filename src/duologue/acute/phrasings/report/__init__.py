"""A study of phrasings written up: tables, a figure, sentences."""
