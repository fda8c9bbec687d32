"""jax-removed: a name that the installed JAX no longer has. mypy finds it, and the command says what it means."""

from typing import Final

from ..knowledge.removed_names import MODULES, REMOVED
from ..reporting.finding import Finding
from ..reporting.harm import Harm, harm_of
from ..reporting.messages import Message
from . import CODES

CODE: Final = CODES["jax-removed"]

_INSTEAD: Final = "write {instead}"
_OTHERWISE: Final = "{otherwise}"
_NAME: Final = Message('"{name}" is gone from {jax}: this raises {error}', (), kind="name")
_MODULE: Final = Message('The module "{name}" is gone from {jax}: this raises {error}', (), kind="module")
_SOME_JAX: Final = "this JAX"


def finding_of(name: str, error: str, version: str | None, *, is_potential: bool) -> Finding:
    """`error`: what is raised. `version`: of the JAX that is installed, if it is known."""
    row, message = REMOVED[name], _MODULE if name in MODULES else _NAME
    message = message.also(*([_INSTEAD] if row.instead else [_OTHERWISE] if row.otherwise else []))
    jax = f"JAX {version}" if version is not None else _SOME_JAX
    statement = message.fill(name=name, jax=jax, error=error, instead=row.instead, otherwise=row.otherwise)
    harm = Harm.POTENTIAL if is_potential else harm_of(CODE.code, statement.kind)
    return Finding(CODE.code, *statement, harm=harm)
