"""How many judgments a study needs: designs, power, sample sizes, pilots."""
