"""jax-removed: what the installed JAX no longer has. mypy finds most of it, and the command says what it means."""

from typing import Final

from ..knowledge.full_names import NOT_IMPORTED
from ..knowledge.removed_names import MODULES, REMOVED
from ..reporting.finding import Finding
from ..reporting.harm import Harm, harm_of
from ..reporting.messages import Message, Statement
from . import CODES

CODE: Final = CODES["jax-removed"]

_INSTEAD: Final = "write {instead}"
_IMPORTED: Final = "import {module}, and write {instead}"
_OTHERWISE: Final = "{otherwise}"
_UNUSED: Final = "delete the import, which nothing uses"
_NOTHING: Final = "nothing public of JAX stands for it"
_NAME: Final = Message('"{name}" is gone from {jax}: this raises {error}', (), kind="name")
_MODULE: Final = Message('The module "{name}" is gone from {jax}: this raises {error}', (), kind="module")
_ARGUMENT: Final = Message(
    'The argument "{argument}" of "{function}" is gone from {jax}: this raises TypeError', (), kind="argument"
)


def finding_of(name: str, error: str, jax: str, *, is_potential: bool, is_unused: bool = False) -> Finding:
    """`error`: what is raised. `jax`: with the release, if it is known. `is_unused`: only imports have the name."""
    row, message = REMOVED[name], _MODULE if name in MODULES else _NAME
    module, otherwise = _module_to_import(row.instead), row.otherwise or _NOTHING
    message = message.also(_UNUSED if is_unused else _IMPORTED if module else _INSTEAD if row.instead else _OTHERWISE)
    statement = message.fill(name=name, jax=jax, error=error, instead=row.instead, otherwise=otherwise, module=module)
    return _finding(statement, is_potential=is_potential)


def _module_to_import(name: str) -> str:
    """The module of a name of JAX that a program has to import itself; empty for any other, and for prose."""
    module = name.rpartition(".")[0]
    return module if module.startswith(NOT_IMPORTED) and " " not in name else ""


def argument_removed(function: str, argument: str, jax: str, instead: str, *, is_potential: bool) -> Finding:
    message = _ARGUMENT.also(_OTHERWISE) if instead else _ARGUMENT
    statement = message.fill(argument=argument, function=function, jax=jax, otherwise=instead)
    return _finding(statement, is_potential=is_potential)


def _finding(statement: Statement, *, is_potential: bool) -> Finding:
    harm = Harm.POTENTIAL if is_potential else harm_of(CODE.code, statement.kind)
    return Finding(CODE.code, *statement, harm=harm)
