"""What a researcher reads and decides: progress, judgments, exclusions, annotators, the plan."""
