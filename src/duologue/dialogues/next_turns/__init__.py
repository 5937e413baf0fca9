"""Items in which the next turn is to be found among candidate replies, and what models score them."""
