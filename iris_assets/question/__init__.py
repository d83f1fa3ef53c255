"""What a question says: references, names, scope, intent, topic, and whether it may be answered at all."""
