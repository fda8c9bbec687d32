"""What an expression stands for, as a text that `resolving` reads, by the syntax of one module.

app.config.Config           a name that the module imports or defines
app.config.Config()         what a call of it returns: of a class, an object
app.config.Config().solver  an attribute
app.config.Config().layers[]    an element of one
*app.config.Config()        a container of such: its element is what stands behind the star
"""

import builtins
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    AwaitExpr,
    CallExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    SliceExpr,
    TupleExpr,
)
from mypy.types import AnyType, RawExpressionType, Type, UnboundType, UnionType

from ...knowledge.full_names import CASTS, COPYING_FUNCTIONS
from ...source.bindings import ANY_KEY
from ...syntax.literals import is_none
from ...syntax.names import dotted_name
from ..functions.scope import ModuleNames
from .bodies import Body, Bound
from .uses import OR

# Packages whose objects are no part of the program's own: nothing is asked about them.
_OTHERS: Final = frozenset({"jax", "numpy", "scipy", "typing_extensions", *sys.stdlib_module_names})
_MAX_DEPTH: Final = 8
_MAX_NAMES: Final = 8  # that stand for one another
ITSELF: Final = "*"  # what a name stands for where its own value uses it: `config = config.replace(dt=1)`
_SAME_ELEMENTS: Final = frozenset(
    {f"builtins.{name}" for name in ("list", "tuple", "set", "sorted", "reversed", "iter")}
)
_TUPLES: Final = ("tuple", "Tuple")
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
    _known: dict[tuple[str, Body], str | None] = field(default_factory=dict)
    _full_names: dict[str, str] = field(default_factory=dict)  # of names of the module
    _open: set[tuple[str, Body]] = field(default_factory=set)

    def of(self, node: Expression | None, body: Body, depth: int = _MAX_DEPTH) -> str | None:
        """What an expression in a function stands for; None if its syntax does not show it."""
        if node is None or depth == 0:
            return None
        match node:
            case NameExpr():
                return self._of_name(node.name, body)
            case MemberExpr():
                return self._of_member(node, body, depth)
            case CallExpr():
                return self._of_call(node, body, depth)
            case IndexExpr():
                whole = self.of(node.base, body, depth - 1)
                return whole if isinstance(node.index, SliceExpr) else self.element(node.base, body, depth)
            case ConditionalExpr():
                return self.one_of([self.of(part, body, depth - 1) for part in (node.if_expr, node.else_expr)])
            case OpExpr(op="or"):
                return self.one_of([self.of(part, body, depth - 1) for part in (node.left, node.right)])
            case AwaitExpr():
                return self.of(node.expr, body, depth - 1)
            case AssignmentExpr():
                return self.of(node.value, body, depth - 1)
            case ListExpr() | TupleExpr() | DictExpr() | ListComprehension():
                return contained(self.element(node, body, depth))
        return None

    def element(self, node: Expression, body: Body, depth: int = _MAX_DEPTH) -> str | None:
        """What the elements of a container stand for."""
        if isinstance(node, ListExpr | TupleExpr):
            return self.one_of([self.of(item, body, depth - 1) for item in node.items])
        if isinstance(node, DictExpr):
            return self.one_of([self.of(value, body, depth - 1) for _, value in node.items])
        if isinstance(node, ListComprehension):
            return self.of(node.generator.left_expr, body, depth - 1)
        whole = self.of(node, body, depth - 1)
        return element_of(whole) if whole is not None else None

    def of_type(self, annotation: Type | None) -> str | None:
        """An object of an annotated type, as it was written."""
        match annotation:
            case UnionType():
                return self._of_union(annotation.items)
            case UnboundType():
                return self._of_written_type(annotation)
        return None

    def full_name(self, node: Expression, body: Body) -> str | None:
        """The full name of what a name of the module means, or a part of one; None if a function binds it."""
        name = dotted_name(node)
        if name is None:
            return None
        head, dot, rest = name.partition(".")
        holder = holder_of(head, body)
        if holder is None:
            return self._full_name(name)
        imported = holder.bound[head][0].imported if len(holder.bound[head]) == 1 else ""
        return f"{imported}{dot}{rest}" if imported else None

    def _full_name(self, name: str) -> str:
        if name not in self._full_names:
            self._full_names[name] = self._read_full_name(name)
        return self._full_names[name]

    def _read_full_name(self, name: str) -> str:
        """The full name of a name of the module, which a loop may bind, or a star import."""
        full = self.names.full_name(name)
        head = name.partition(".")[0]
        is_unknown = full == f"builtins.{name}" and not hasattr(builtins, head)
        return f"{self.file.fullname}.{name}" if is_unknown else full

    def of_variable(self, name: str, found: list[Body]) -> str | None:
        """What a variable of the module holds, if all that the module and its functions bind it to is the same."""
        binders = (body for body in found if name in body.bound and (not body.name or name in body.of_module))
        return self.one_of([text for body in binders for text in self._bound_to(name, body)])

    def _of_union(self, items: Iterable[Type]) -> str | None:
        """An object of the one type beside None."""
        parts = [part for part in items if not _is_none(part)]
        return self.of_type(parts[0]) if len(parts) == 1 else None

    def _of_written_type(self, annotation: UnboundType) -> str | None:
        last = annotation.name.rpartition(".")[2]
        args = annotation.args
        if last in _TRANSPARENT:
            return self.of_type(args[0]) if args else None
        if last == "Union":
            return self._of_union(args)
        if last in _CONTAINERS:
            held = [
                part for part in args if not isinstance(part, AnyType | RawExpressionType) and not _is_ellipsis(part)
            ]
            inner = self.one_of(map(self.of_type, held if last in _TUPLES else held[-1:]))
            return contained(inner)
        if last in ("Self", "Any", "object") or not last.isidentifier():
            return None
        if last == "type" or last == "Type":
            inner = self.of_type(args[0]) if args else None
            return inner.removesuffix("()") if inner is not None else None
        return f"{self._full_name(annotation.name)}()"

    def _of_name(self, name: str, body: Body) -> str | None:
        holder = holder_of(name, body)
        return self._of_local(name, holder) if holder is not None else self._full_name(name)

    def _of_local(self, name: str, holder: Body) -> str | None:
        """What a name stands for in the function that binds it."""
        key = name, holder
        if key in self._open:
            return ITSELF
        if key not in self._known:
            if len(self._open) == _MAX_NAMES:
                return None
            self._open.add(key)
            self._known[key] = self.one_of(self._bound_to(name, holder))
            self._open.remove(key)
        return self._known[key]

    def _bound_to(self, name: str, body: Body) -> list[str | None]:
        """What a name stands for by each place that binds it, without those that bind it to None."""
        bound = body.bound[name]
        if name != body.own or bound[0].annotation is not None:
            return [self._of_bound(place, body) for place in bound if not is_none(place.binding.whole)]
        own = f"{self.file.fullname}.{body.cls}"
        return [own if body.is_class_method else f"{own}()", *(self._of_bound(other, body) for other in bound[1:])]

    def _of_bound(self, bound: Bound, body: Body) -> str | None:
        if bound.annotation is not None and not says_nothing(bound.annotation):
            text = self.of_type(bound.annotation)
            return contained(text) if bound.is_many else text
        value, path = bound.binding.value, bound.binding.path
        if path == (ANY_KEY,) and value is not None:
            return self.element(value, body)
        return bound.imported or (self.of(value, body) if not path else None)

    def _of_member(self, node: MemberExpr, body: Body, depth: int) -> str | None:
        if (name := self.full_name(node, body)) is not None:
            return name
        base = self.of(node.expr, body, depth - 1)
        return each(base, lambda owner: self._attribute(owner, node.name))

    def _attribute(self, owner: str, name: str) -> str:
        """An attribute of an object; what it holds, if the module shows that of a class of its own."""
        cls = owner.removesuffix("()").removeprefix(f"{self.file.fullname}.")
        known = self.attributes.get(f"{cls}.{name}") if owner.endswith("()") else None
        return known if known is not None else f"{owner}.{name}"

    def _of_call(self, node: CallExpr, body: Body, depth: int) -> str | None:
        callee = node.callee
        name = self.full_name(callee, body)
        if name in CASTS and len(node.args) == 2:
            cls = self.full_name(node.args[0], body)
            return f"{cls}()" if cls is not None else None
        if name in _SAME_ELEMENTS and len(node.args) == 1:
            return self.of(node.args[0], body, depth - 1)
        if name in COPYING_FUNCTIONS and node.args:
            return self.of(node.args[0], body, depth - 1)
        if isinstance(callee, MemberExpr) and callee.name in _COPYING_METHODS and name is None:
            return self.of(callee.expr, body, depth - 1)
        called = name if name is not None else self.of(callee, body, depth - 1)
        return each(called, lambda text: f"{text}()")

    def one_of(self, found: Iterable[str | None]) -> str | None:
        """What something stands for that has several values: one thing, or it is not known."""
        kinds = set(found) - {ITSELF}
        return kinds.pop() if len(kinds) == 1 else None


def each(text: str | None, then: Callable[[str], str]) -> str | None:
    """What comes of each thing that a text may stand for; None of a container."""
    parts = text.split(OR) if text is not None else ["*"]
    return None if any(part.startswith("*") for part in parts) else OR.join(map(then, parts))


def contained(text: str | None) -> str | None:
    """A container of such things."""
    return OR.join(f"*{part}" for part in text.split(OR)) if text is not None else None


def is_own(text: str) -> bool:
    """Whether what a text stands for may be of the program, or of a library that nothing is known of."""
    return all(part.lstrip("*").partition(".")[0].rstrip("()[]") not in _OTHERS for part in text.split(OR))


def element_of(whole: str) -> str | None:
    parts = [part[1:] if part.startswith("*") else f"{part}[]" for part in whole.split(OR)]
    return OR.join(parts) if all(parts) else None


def says_nothing(annotation: Type | None) -> bool:
    """`Final`, `ClassVar` and `TypeAlias`: the value shows what it is."""
    bare = annotation.name if isinstance(annotation, UnboundType) and not annotation.args else ""
    return bare.rpartition(".")[2] in ("ClassVar", "Final", "TypeAlias")


def holder_of(name: str, body: Body) -> Body | None:
    """The function that binds a name that is used in `body`; None for a name of the module."""
    holder: Body | None = body
    while holder is not None and holder.name:
        if name in holder.of_module:
            return None
        if name in holder.bound and name not in holder.foreign:
            return holder
        holder = holder.outer
    return None


def _is_none(typ: Type) -> bool:
    return isinstance(typ, UnboundType) and typ.name == "None"


def _is_ellipsis(typ: Type) -> bool:
    return type(typ).__name__ == "EllipsisType"
