"""What the stubs of jaxtyped_static import: without it, mypy would go on to the real jax."""

import jax

class Lowered:
    out_info: jax.Array

class Traced: ...
