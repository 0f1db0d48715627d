"""One failure mode a room, each with its switch."""
