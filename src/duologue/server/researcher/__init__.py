"""The researcher's pages, the API, signing in."""
