"""What was found out of comparisons: rates, verdicts, strengths, agreement."""
