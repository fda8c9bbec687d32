"""Watches the calls of compiled functions, and verifies their static arguments."""
