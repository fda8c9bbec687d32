from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["guard"]

@contextmanager
def guard(*, jax_jit: bool = False) -> Iterator[None]: ...
