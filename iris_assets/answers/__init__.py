"""Evidence turned into an answer whose every citation was verified."""
