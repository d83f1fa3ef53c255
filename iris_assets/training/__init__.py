"""How the question reader's weights come from labelled phrases; reading a question needs none of it."""
