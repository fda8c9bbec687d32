"""What an expression stands for, as a text that `resolving` reads, by the syntax of one module.

app.config.Config           a name that the module imports or defines
app.config.Config()         what a call of it returns: of a class, an object
app.config.Config().solver  an attribute
app.config.Config().layers[]    an element of one
*app.config.Config()        a container of such: its element is what stands behind the star
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Expression,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    SliceExpr,
    TupleExpr,
)
from mypy.types import AnyType, RawExpressionType, Type, UnboundType, UnionType

from ...knowledge.full_names import CASTS, COPYING_FUNCTIONS
from ...source.bindings import ANY_KEY
from ...syntax.literals import is_none
from ...syntax.trees import dotted_name
from ..functions.scope import ModuleNames
from .bodies import Body, Bound

_MAX_DEPTH: Final = 8
_COPYING_METHODS: Final = frozenset({"replace", "_replace", "copy"})
# Annotations that say something of a value of the type in them.
_TRANSPARENT: Final = frozenset({"Annotated", "ClassVar", "Dynamic", "Final", "InitVar", "Optional", "Static"})
# Those of what has elements, of the last type in them.
_NAMES_OF_CONTAINERS: Final = """
    list List Sequence MutableSequence Iterable Iterator Collection set Set frozenset FrozenSet AbstractSet tuple Tuple
    deque Deque dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict
"""
_CONTAINERS: Final = frozenset(_NAMES_OF_CONTAINERS.split())


@dataclass(frozen=True, eq=False)
class Owners:
    """What the expressions of a module stand for."""

    file: MypyFile
    names: ModuleNames
    attributes: dict[str, str] = field(default_factory=dict)  # of the module's classes: `Trainer.config`

    def of(self, node: Expression | None, body: Body, depth: int = _MAX_DEPTH) -> str | None:
        """What an expression in a function stands for; None if its syntax does not show it."""
        if node is None or depth == 0:
            return None
        match node:
            case NameExpr():
                return self._of_name(node.name, body, depth)
            case MemberExpr():
                return self._of_member(node, body, depth)
            case CallExpr():
                return self._of_call(node, body, depth)
            case IndexExpr():
                whole = self.of(node.base, body, depth - 1)
                return whole if isinstance(node.index, SliceExpr) else self.element(node.base, body, depth)
            case ConditionalExpr():
                return _same([self.of(part, body, depth - 1) for part in (node.if_expr, node.else_expr)])
            case ListExpr() | TupleExpr() | ListComprehension():
                inner = self.element(node, body, depth)
                return f"*{inner}" if inner is not None else None
        return None

    def element(self, node: Expression, body: Body, depth: int = _MAX_DEPTH) -> str | None:
        """What the elements of a container stand for."""
        if isinstance(node, ListExpr | TupleExpr):
            return _same([self.of(item, body, depth - 1) for item in node.items])
        if isinstance(node, ListComprehension):
            return self.of(node.generator.left_expr, body, depth - 1)
        whole = self.of(node, body, depth - 1)
        return element_of(whole) if whole is not None else None

    def of_type(self, annotation: Type | None) -> str | None:
        """An object of an annotated type, as it was written."""
        match annotation:
            case UnionType():
                parts = [part for part in annotation.items if not _is_none(part)]
                return self.of_type(parts[0]) if len(parts) == 1 else None
            case UnboundType():
                return self._of_written_type(annotation)
        return None

    def full_name(self, node: Expression, body: Body) -> str | None:
        """The full name of what a name of the module means, or a part of one; None if a function binds it."""
        name = dotted_name(node)
        if name is None or _is_local(name.partition(".")[0], body):
            return None
        return self.names.full_name(name)

    def of_variable(self, name: str, module: Body) -> str | None:
        """What a variable of the module holds, if all that it is bound to is the same."""
        return self._of_all(module.bound[name], module, _MAX_DEPTH)

    def _of_written_type(self, annotation: UnboundType) -> str | None:
        last = annotation.name.rpartition(".")[2]
        args = annotation.args
        if last in _TRANSPARENT:
            return self.of_type(args[0]) if args else None
        if last == "Union":
            parts = [part for part in args if not _is_none(part)]
            return self.of_type(parts[0]) if len(parts) == 1 else None
        if last in _CONTAINERS:
            held = [
                part for part in args if not isinstance(part, AnyType | RawExpressionType) and not _is_ellipsis(part)
            ]
            inner = self.of_type(held[-1]) if held else None
            return f"*{inner}" if inner is not None else None
        if last in ("Self", "Any", "object") or not last.isidentifier():
            return None
        if last == "type" or last == "Type":
            inner = self.of_type(args[0]) if args else None
            return inner.removesuffix("()") if inner is not None else None
        return f"{self.names.full_name(annotation.name)}()"

    def _of_name(self, name: str, body: Body, depth: int) -> str | None:
        holder: Body | None = body
        while holder is not None and holder.name and (name not in holder.bound or name in holder.foreign):
            holder = holder.outer
        if holder is None or not holder.name:
            return self.names.full_name(name)
        bound = holder.bound[name]
        if name == holder.own and len(bound) == 1 and bound[0].annotation is None:
            own = f"{self.file.fullname}.{holder.cls}"
            return own if holder.is_class_method else f"{own}()"
        return self._of_all(bound, holder, depth)

    def _of_all(self, bound: list[Bound], body: Body, depth: int) -> str | None:
        """What a name stands for that is bound in several places, perhaps first to None."""
        return _same([self._of_bound(place, body, depth) for place in bound if not is_none(place.binding.whole)])

    def _of_bound(self, bound: Bound, body: Body, depth: int) -> str | None:
        if bound.annotation is not None:
            return self.of_type(bound.annotation)
        value, path = bound.binding.value, bound.binding.path
        if path == (ANY_KEY,) and value is not None:
            return self.element(value, body, depth)
        return self.of(value, body, depth - 1) if not path else None

    def _of_member(self, node: MemberExpr, body: Body, depth: int) -> str | None:
        if (name := self.full_name(node, body)) is not None:
            return name
        base = self.of(node.expr, body, depth - 1)
        if base is None or base.startswith("*"):
            return None
        return self._attribute(base, node.name)

    def _attribute(self, owner: str, name: str) -> str:
        """An attribute of an object; what it holds, if the module shows that of a class of its own."""
        cls = owner.removesuffix("()").removeprefix(f"{self.file.fullname}.")
        known = self.attributes.get(f"{cls}.{name}") if owner.endswith("()") else None
        return known if known is not None else f"{owner}.{name}"

    def _of_call(self, node: CallExpr, body: Body, depth: int) -> str | None:
        callee = node.callee
        name = self.full_name(callee, body)
        if name in CASTS and len(node.args) == 2:
            return None
        if name in COPYING_FUNCTIONS and node.args:
            return self.of(node.args[0], body, depth - 1)
        if isinstance(callee, MemberExpr) and callee.name in _COPYING_METHODS and name is None:
            return self.of(callee.expr, body, depth - 1)
        called = name if name is not None else self.of(callee, body, depth - 1)
        return f"{called}()" if called is not None and not called.startswith("*") else None


def element_of(whole: str) -> str:
    return whole[1:] if whole.startswith("*") else f"{whole}[]"


def _same(found: Iterable[str | None]) -> str | None:
    kinds = set(found)
    return kinds.pop() if len(kinds) == 1 else None


def _is_local(name: str, body: Body) -> bool:
    holder: Body | None = body
    while holder is not None and holder.name:
        if name in holder.bound and name not in holder.foreign:
            return True
        holder = holder.outer
    return False


def _is_none(typ: Type) -> bool:
    return isinstance(typ, UnboundType) and typ.name == "None"


def _is_ellipsis(typ: Type) -> bool:
    return type(typ).__name__ == "EllipsisType"
