"""What the question room still imports from here; it moves to `words.text` with that room's rewrite."""

from iris_assets.words.text import WORD, fold, word_set, words

__all__ = ["WORD", "normalised", "word_set", "words"]

normalised = fold
