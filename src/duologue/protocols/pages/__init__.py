"""What is asked on a page or in a message, and what comes back: forms, screens, cards, selections."""
