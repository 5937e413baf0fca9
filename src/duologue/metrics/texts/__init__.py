"""How alike two texts are, and how varied many are: functions on strings."""
