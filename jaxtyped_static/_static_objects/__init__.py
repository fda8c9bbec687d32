"""Makes equal static objects one object, and treats those that bypassed the constructor."""
