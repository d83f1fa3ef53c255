"""Whom an article is about: a decision between the persons of the records, from what the text says beside the name."""
