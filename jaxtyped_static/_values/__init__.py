"""Verifies static values against the contract, and keys them exactly."""
