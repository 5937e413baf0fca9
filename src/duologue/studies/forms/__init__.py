"""Forms: the questions a study asks about its annotators, what they answer, and how often."""
