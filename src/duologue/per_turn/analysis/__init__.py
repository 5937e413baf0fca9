"""Turns analysed: screened, tested with their clusters, and checked for what makes them dependent."""
