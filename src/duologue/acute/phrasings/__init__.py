"""Question optimisation: phrasings of a question compared by how far annotators agree."""
