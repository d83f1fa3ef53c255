"""PDF files turned into pages of clean text, in a process that can be stopped."""
