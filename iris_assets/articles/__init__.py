"""The article runtime: one news article turned into grounded, labelled evidence, or a refusal."""
