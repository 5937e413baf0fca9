"""Best–worst scaling: three dialogues side by side, the best one and the worst one (Louviere et al. 2015)."""
