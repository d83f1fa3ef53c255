"""The article runtime: one news article about a candidate in, a manifest and grounded Markdown or a refusal out."""
