"""What was found out of ratings: calibrated means, verdicts, agreement, the ordinal check."""
