"""What comes when: attention checks, repeats, blocks of items, the order of arms, deadlines."""
