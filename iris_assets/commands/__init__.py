"""The commands of `iris-assets`, one module for each kind of work."""
