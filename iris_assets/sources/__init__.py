"""The outside world in: official hosts turned into typed records."""
