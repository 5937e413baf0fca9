"""The kinds of bots: one file for each way of getting a reply."""
