"""What the platform knows about words: text folds, parties, offices, bill kinds, source kinds, the neutral order.

A ground room: it imports nothing of the platform, and its lists live in data files that are read once, when first asked.
"""
