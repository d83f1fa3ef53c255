"""The gateway to OpenAI-compatible endpoints: chat, structured output, embeddings."""
