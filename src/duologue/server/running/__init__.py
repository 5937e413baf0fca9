"""Running a server: its socket and processes, what it prepares, checks and logs."""
