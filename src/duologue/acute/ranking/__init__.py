"""Rankings of three: three dialogues side by side, each with a place, and three pairs in every answer."""
