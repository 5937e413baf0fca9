"""The verbs of ``duologue metrics``, one file each for predictions, logs and correlations."""
