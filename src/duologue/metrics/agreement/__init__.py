"""How automatic metrics agree with what people say: items with both, and their correlations."""
