"""What a bigger model can replace: embedder and chat."""
