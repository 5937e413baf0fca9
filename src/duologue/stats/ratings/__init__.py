"""Ratings: leniency taken off, means compared, the ordinal model."""
