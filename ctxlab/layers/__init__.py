"""The three layers: session, durable and semantic memory."""
