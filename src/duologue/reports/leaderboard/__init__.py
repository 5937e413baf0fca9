"""Many bots in one order: by metrics, and by people."""
