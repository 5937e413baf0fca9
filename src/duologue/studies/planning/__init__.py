"""Planning a study: how many judgments, what they can show, and what they cost."""
