"""Ratings: leniency removed, means compared, the ordinal model."""
