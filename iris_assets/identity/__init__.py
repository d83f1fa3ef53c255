"""Which deputy is this candidate: evidence, score, ambiguity, overrides."""
