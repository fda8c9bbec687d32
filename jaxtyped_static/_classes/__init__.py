"""Makes classes static or dynamic: what they may define, constructors, pytrees, copies."""
