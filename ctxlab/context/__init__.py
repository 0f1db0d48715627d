"""What the model sees: budget, window, compression, routing, assembly."""
