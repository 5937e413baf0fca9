"""Statistics of logs: what bots, and the people who talk to them, say in dialogues."""
