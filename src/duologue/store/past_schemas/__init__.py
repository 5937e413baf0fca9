"""The steps from every past schema of a study's database to the next, each as it was then."""
