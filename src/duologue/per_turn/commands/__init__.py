"""The commands of per-turn: loaded when the command line asks for them."""
