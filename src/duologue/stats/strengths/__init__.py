"""One strength for each bot from all matchups: fits, contrasts, rank sets, what would change them."""
