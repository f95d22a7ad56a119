"""The proof page: four experiments, each a prediction, a result, and a button that runs it here."""
