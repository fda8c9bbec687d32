"""Checks whether objects of a class keep the contract: frozen, hashed and compared by value, not traced."""
