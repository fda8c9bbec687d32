"""Reads which attributes of a class begin with a weak type: what compiled code returns in their place may have none."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypedDict

from mypy.nodes import AssignmentStmt, CallExpr, Expression, FuncDef, LambdaExpr, MemberExpr, NameExpr, Node, SuperExpr
from mypy.plugin import SemanticAnalyzerPluginInterface

from ..compat.resolution import spelled_name
from ..source.weak_values import Reader, Weak, WeakValue, weak_value
from ..syntax.arguments import keyword_argument
from ..syntax.assignments import assigned_pairs
from ..syntax.names import attribute_of, dotted_name
from ..syntax.trees import names_assigned, nodes_below, statements
from .class_body import ClassBody, self_name
from .set_facts import CONSTRUCTORS, attributes_set

_SETTING: Final = frozenset({"setattr", "__setattr__", "__dict__", "vars"})

# The kind of a weak value, whether it is an array, and the parameters of `__init__` that it is made of, by defaults.
_Kept = list[Any]
# What `__init__` calls for the value of an attribute, as it is written, and whether it gives arguments.
BuiltFrom = list[Any]


class WeakFacts(TypedDict, total=False):
    """Facts of the weak types of a class."""

    begins_weak: dict[str, _Kept]  # the attributes that `__init__` sets to weakly typed values
    weak_defaults: dict[str, _Kept]  # the fields that have such defaults
    built_from: dict[str, BuiltFrom]


def read_weak(body: ClassBody, api: SemanticAnalyzerPluginInterface) -> WeakFacts:
    def name(node: Expression) -> str:
        return spelled_name(api, dotted_name(node) or "") or ""

    makers = [body.methods[name] for name in CONSTRUCTORS if name in body.methods]
    if any(_may_set_any(node) for maker in makers for node in nodes_below(maker.body)):
        return {}
    init = body.methods.get("__init__")
    set_once = dict(_set_once(init)) if init is not None else {}
    return {
        "begins_weak": _kept(set_once, name, _parameters(init) if init is not None else {}),
        "weak_defaults": _kept(dict(_defaults(body)), name, {}),
        "built_from": {
            name: [called, bool(value.args)]
            for name, value in set_once.items()
            if isinstance(value, CallExpr) and (called := dotted_name(value.callee)) is not None
        },
    }


def _may_set_any(node: Node) -> bool:
    """Whether this is code that may set attributes by names that nobody sees."""
    return isinstance(node, (NameExpr, MemberExpr, SuperExpr)) and node.name in _SETTING


class Kept(NamedTuple):
    """A weakly typed value that a class gives to an attribute."""

    weak: WeakValue
    parameters: tuple[str, ...]  # of `__init__`, of whose defaults it is made


def read_kept(kept: _Kept) -> Kept:
    kind, is_array, parameters = kept
    return Kept(WeakValue(Weak[kind], is_array), tuple(parameters))


def _kept(
    values: dict[str, Expression], name: Callable[[Expression], str], parameters: dict[str, Expression]
) -> dict[str, _Kept]:
    found: dict[str, _Kept] = {}
    for attribute, value in values.items():
        used: list[str] = []

        def follow(node: Expression, used: list[str] = used) -> Expression:
            default = parameters.get(node.name) if isinstance(node, NameExpr) else None
            if default is None or not isinstance(node, NameExpr):
                return node
            used.append(node.name)
            return default

        weak = weak_value(value, Reader(name, follow))
        if weak is not None:
            found[attribute] = [weak.kind.name, weak.is_array, sorted(set(used))]
    return found


def _parameters(init: FuncDef) -> dict[str, Expression]:
    """The parameters of a constructor that it does not bind again, with their defaults."""
    bound = {name for node in statements(init.body.body, into_definitions=False) for name in names_assigned(node)}
    defaults = ((argument.variable.name, argument.initializer) for argument in init.arguments)
    return {name: default for name, default in defaults if default is not None and name not in bound}


def _set_once(init: FuncDef) -> Iterator[tuple[str, Expression]]:
    """The attributes that every call of a constructor sets once, with their values."""
    own = self_name(init)
    counts = Counter(name for name, _ in attributes_set(init))
    pairs = (pair for node in init.body.body if isinstance(node, AssignmentStmt) for pair in assigned_pairs(node))
    found = ((attribute_of(target, own), value) for target, value in pairs)
    return ((name, value) for name, value in found if name is not None and value is not None and counts[name] == 1)


def _defaults(body: ClassBody) -> Iterator[tuple[str, Expression]]:
    """The defaults of fields; of a factory, what it returns if it is a lambda."""
    for name, node in body.assignments:
        call = node.rvalue if isinstance(node.rvalue, CallExpr) else None
        factory = keyword_argument(call, "default_factory", "factory") if call is not None else None
        default = keyword_argument(call, "default") if call is not None else None
        if isinstance(factory, LambdaExpr):
            yield name, factory.expr()
        elif factory is None and isinstance(node.lvalues[0], NameExpr):
            yield name, default or node.rvalue
