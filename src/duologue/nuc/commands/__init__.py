"""``duologue nuc``."""
