"""How far annotators agree: with each other, one by one, and on one matchup."""
