"""Records turned into text, chunks, prepared terms and vectors."""
