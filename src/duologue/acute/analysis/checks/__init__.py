"""What is checked beside the verdicts: annotators, rules of exclusion, equal bots, and what to warn of."""
