"""Keys static values exactly, and finds the object that has a key."""
