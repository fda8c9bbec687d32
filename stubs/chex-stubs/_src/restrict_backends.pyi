import contextlib
from collections.abc import Iterator, Sequence

class RestrictedBackendError(RuntimeError): ...

@contextlib.contextmanager
def restrict_backends(
    *, allowed: Sequence[str] | None = None, forbidden: Sequence[str] | None = None
) -> Iterator[None]: ...
