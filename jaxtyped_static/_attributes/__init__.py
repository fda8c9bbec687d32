"""Tells an object's attributes: its fields, its caches, and what it has beside them."""
