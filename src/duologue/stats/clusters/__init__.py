"""Judgments that are not independent: clustered rates and means, what clustering costs."""
