"""That code only runs with tracers: not with numbers, and not while JAX compiles nothing."""

import ast
from functools import lru_cache
from typing import Final

import libcst as cst

from ...editing.documents import Document
from .bindings import meaning_of
from .code import PROJECTS_KEPT, Code, Source, dotted

_UNWRAPPING: Final = ("__wrapped__", "unwrap", "fake_jit", "fake_pmap")  # the last two are of Chex
_COMPILING: Final = ("jit", "pmap")
_DISABLING: Final = (
    "disable_jit"  # `jax.disable_jit`, `jax.config.jax_disable_jit`, and `JAX_DISABLE_JIT` in `os.environ`
)
# What traces every number, and checks its lists. Others leave numbers as they are.
TRACING: Final = frozenset({"jax.jit", "jax.pmap", "jaxtyped_static.jit"})


def why_not_traced(node: cst.CSTNode, document: Document, source: Source | None, code: Code) -> str:
    """Why code may get plain values, or run eagerly."""
    around = (outer for outer in document.ancestors(node) if isinstance(outer, cst.FunctionDef | cst.Lambda))
    function = next(around, None)
    if not isinstance(function, cst.FunctionDef) or not function.decorators:
        return "the function around it is not compiled where it is defined"
    applied = [document.code(decorator.decorator) for decorator in function.decorators]
    if source is None or TRACING.isdisjoint(compiled_by(text, source, code) for text in applied):
        return f'"{applied[0]}" may not trace numbers'
    given = function.params
    defaults = [
        parameter
        for parameter in (*given.posonly_params, *given.params, *given.kwonly_params)
        if parameter.default is not None
    ]
    if defaults:
        return f'JAX does not trace "{defaults[0].name.value}" where its default is used'
    return why_not_compiled(code)


@lru_cache(PROJECTS_KEPT)
def why_not_compiled(code: Code) -> str:
    """Where compiled functions may be run as they are."""
    if code.unreadable:
        return code.unreadable
    for source, use in code.mentioned(_DISABLING):
        return f"{source.place(use)} mentions {_DISABLING}, with which JAX compiles nothing"
    for source, parsed in code.readable:
        for name in _COMPILING:
            for node in parsed.attributes.get(name, ()):
                if isinstance(node.ctx, ast.Store):
                    return f"{source.place(node)} replaces {name}, and may compile nothing"
    for name in _UNWRAPPING:
        for source, use in code.named(name):
            return f"{source.place(use)} uses {name}, which runs functions that are not compiled"
    return ""


def compiled_by(text: str, source: Source, code: Code) -> str:
    """The full name of what a decorator compiles with."""
    node: ast.expr = ast.parse(text, mode="eval").body
    while isinstance(node, ast.Call):
        full_name = meaning_of(dotted(node.func), source, code).full_name
        node = node.args[0] if full_name == "functools.partial" and node.args else node.func
    return meaning_of(dotted(node), source, code).full_name
