"""Sentences checked against the evidence that they cite: `verify(answer, evidences)` and what it is made of."""
