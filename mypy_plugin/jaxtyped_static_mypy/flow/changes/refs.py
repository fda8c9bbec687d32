"""Mutable arrays, which JAX threads through the program: `x_ref[i] = value` changes nothing behind its back."""

from mypy.nodes import CallExpr, MypyFile, Node, RefExpr, SymbolNode

from ...knowledge import naming
from ...knowledge.function_rows import Effect
from ...knowledge.jax_functions import jax_function
from ...reach.kernels import is_given_to_kernel
from ...source.bindings import bindings_of
from ...source.nested_functions import Functions
from ...syntax.changes import Change, ChangeKind
from ..declared_types import class_in, declared_type


def is_ref(root: SymbolNode, change: Change, functions: Functions) -> bool:
    """Whether this is `x_ref[i] = value`: a mutable array, which JAX threads through the program."""
    if change.kind is not ChangeKind.ITEM:
        return False
    if isinstance(root, MypyFile) or naming.is_ref(root.name):
        return True
    declared = class_in(declared_type(root))
    if declared is not None and naming.is_ref_class(declared.name):
        return True
    made = (binding.whole for binding in bindings_of(root, functions.file))
    return any(value is not None and _makes_ref(value) for value in made) or is_given_to_kernel(root, functions)


def _makes_ref(value: Node) -> bool:
    called = value.callee if isinstance(value, CallExpr) else None
    return isinstance(called, RefExpr) and Effect.MAKES_REF in jax_function(called.fullname).effects
