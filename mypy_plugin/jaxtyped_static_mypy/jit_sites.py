"""Where functions are compiled: which functions do it, and which parameters a call of one of them makes static."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Expression,
    IntExpr,
    ListExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    SetExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import CallableType, Instance, LiteralType, TupleType, Type, get_proper_type

from .syntax import assignment_targets, statements


class JitFunction(NamedTuple):
    """One function that compiles another: the options that list static parameters, and what its result becomes."""

    names_option: str | None = None
    nums_option: str | None = None
    reads_markers: bool = False
    keeps_signature: bool = False  # the result is a jitted callable with `.lower` and the like
    is_key: bool = True  # static values are hashed and compared; `nondiff_argnums` are only kept from the trace
    compiles: bool = True  # and keeps what it compiled for the next call


JAX_JIT: Final = JitFunction("static_argnames", "static_argnums", keeps_signature=True)
_CUSTOM_VJP: Final = JitFunction("nondiff_argnames", "nondiff_argnums", is_key=False, compiles=False)
_CHECKPOINT: Final = JitFunction(nums_option="static_argnums", compiles=False)
_PMAP: Final = JitFunction(nums_option="static_broadcasted_argnums")

JIT_FUNCTIONS: Final[dict[str, JitFunction]] = {
    "jaxtyped_static.jit.jit": JitFunction(
        "static_argnames", "static_argnums", reads_markers=True, keeps_signature=True
    ),
    "jax._src.api.jit": JAX_JIT,
    "jax._src.pjit.pjit": JitFunction("static_argnames", "static_argnums"),
    "jax._src.api.pmap": _PMAP,
    "jax._src.pmap.pmap": _PMAP,
    "jax._src.ad_checkpoint.checkpoint": _CHECKPOINT,
    "jax._src.ad_checkpoint.remat": _CHECKPOINT,
    "jax._src.custom_derivatives.custom_vjp": _CUSTOM_VJP,
    "jax._src.custom_derivatives.custom_jvp": JitFunction(compiles=False),  # its `nondiff_argnums` may even be traced
    "flax.nnx.transforms.compilation.jit": JitFunction("static_argnames", "static_argnums"),
    "equinox._jit.filter_jit": JitFunction(),
}


@dataclass(frozen=True)
class JitSite:
    """One application of a jit function: the function's full name and the static parameters it lists."""

    function: str
    names: tuple[str, ...] = ()
    nums: tuple[int, ...] = ()
    known: bool = True  # False: a list is computed at run time

    def encode(self) -> str:
        """As the name of the callable that `jit(**options)` returns: mypy asks for hooks, and reports errors, by it."""
        return f"{self.function}({json.dumps([self.names, self.nums, self.known])})"

    @classmethod
    def decode(cls, name: str) -> "JitSite | None":
        function, bracket, arguments = name.partition("([")
        if not bracket:
            return None
        names, nums, known = json.loads("[" + arguments[:-1])
        return cls(function, tuple(names), tuple(nums), known)

    def static_parameters(self, signature: CallableType) -> list[int]:
        """Indices of the parameters the lists make static; names and numbers that fit none are left out."""
        count = len(signature.arg_types)
        by_number = {num if num >= 0 else num + count for num in self.nums}
        by_name = {index for index, name in enumerate(signature.arg_names) if name is not None and name in self.names}
        positional = {index for index, kind in enumerate(signature.arg_kinds) if kind.is_positional()}
        return sorted((by_number & positional) | by_name)


def read_site(
    function: str, row: JitFunction, arguments: Sequence[tuple[str | None, Expression]], file: MypyFile
) -> JitSite:
    """Reads the static lists from a call's keyword arguments."""
    given = {name: value for name, value in arguments if name is not None}
    names = _read_list(given.get(row.names_option or ""), file)
    nums = _read_list(given.get(row.nums_option or ""), file)
    return JitSite(
        function,
        names=tuple(item for item in names or () if isinstance(item, str)),
        nums=tuple(item for item in nums or () if isinstance(item, int)),
        known=names is not None and nums is not None,
    )


def _read_list(node: Expression | None, file: MypyFile, followed: frozenset[Var] = frozenset()) -> list[Any] | None:
    """The strings or numbers of a literal, list or tuple, or of a name bound once to one; None if not readable.

    `followed`: the names on the way here, as one may be bound to itself.
    """
    if node is None or (isinstance(node, NameExpr) and node.fullname == "builtins.None"):
        return []
    if isinstance(node, (ListExpr, TupleExpr, SetExpr)):
        parts = [_read_list(item, file, followed) for item in node.items]
        return None if any(part is None for part in parts) else [item for part in parts for item in part or ()]
    if isinstance(node, (StrExpr, IntExpr)):
        return [node.value]
    if isinstance(node, UnaryExpr) and node.op == "-" and isinstance(node.expr, IntExpr):
        return [-node.expr.value]
    if isinstance(node, RefExpr) and isinstance(node.node, Var) and node.node not in followed:
        return _read_constant(node.node, file, followed | {node.node})
    return None


def _read_constant(var: Var, file: MypyFile, followed: frozenset[Var]) -> list[Any] | None:
    if isinstance(var.final_value, (str, int)):
        return [var.final_value]
    bindings = [
        node for node in statements(file.defs) if any(_binds(target, var) for target in assignment_targets(node))
    ]
    if len(bindings) == 1 and isinstance(bindings[0], AssignmentStmt):
        return _read_list(bindings[0].rvalue, file, followed)
    return _read_type(var.type) if var.is_final else None


def _binds(target: Expression, var: Var) -> bool:
    return isinstance(target, NameExpr) and target.node is var


def _read_type(typ: Type | None) -> list[Any] | None:
    """The value of a constant of another module, when its type tells it."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance) and proper.last_known_value is not None:
        proper = proper.last_known_value
    if isinstance(proper, LiteralType):
        return [proper.value]
    if isinstance(proper, TupleType):
        parts = [_read_type(item) for item in proper.items]
        return None if any(part is None for part in parts) else [item for part in parts for item in part or ()]
    return None
