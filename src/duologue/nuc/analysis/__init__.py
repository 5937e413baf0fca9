"""What people and models recalled."""
