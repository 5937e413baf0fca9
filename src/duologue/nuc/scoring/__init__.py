"""What models and bots score the candidates of items, and where the true reply ranks."""
