"""What makes a class static or dynamic: what it may define, its constructor, its pytree, its copies."""
