"""Question sets, public collections, metrics and pinned floors."""
