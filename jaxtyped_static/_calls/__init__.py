"""Calls of compiled functions, seen while somebody watches, and the static arguments in them."""
