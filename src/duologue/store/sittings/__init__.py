"""What an annotator does: arriving, claiming, judging; which item, in which order."""
