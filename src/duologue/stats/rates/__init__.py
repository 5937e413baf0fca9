"""One or two rates: tests, intervals, equivalence, position, and the rule that decides."""
