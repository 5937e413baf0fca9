"""Statistics of logs beside human scores: tables in the form of the ConvAI2 paper, and its Figure 5."""
