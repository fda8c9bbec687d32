"""Environments of Nix that are fixed to one state of nixpkgs: they have the packages of that day."""

import re
from typing import Final

# `archive/<commit>.tar.gz`, `rev = "<commit>"`, `github:NixOS/nixpkgs/nixos-22.05`.
_STATE: Final = re.compile(r"\bnixpkgs\b.{0,200}?\b(?P<state>[0-9a-f]{40}|(?:nixos|release)-\d\d\.\d\d)\b", re.DOTALL)
_SHOWN: Final = 12  # of a commit, in letters


def state_asked(distribution: str, text: str) -> str | None:
    """`the jax of nixpkgs 556ce9a40ab1`: what such an environment has, if it has the package."""
    state = _STATE.search(text)
    if state is None or re.search(rf"(?<![\w/.-])(?:[\w-]+\.)*{re.escape(distribution)}(?![\w-])", text) is None:
        return None
    return f"the {distribution} of nixpkgs {state['state'][:_SHOWN]}"
