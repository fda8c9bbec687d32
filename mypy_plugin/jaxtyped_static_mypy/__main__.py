"""`python -m jaxtyped_static_mypy` is the command `jaxtyped-static`."""

from jaxtyped_static_cli.main import run

run()
