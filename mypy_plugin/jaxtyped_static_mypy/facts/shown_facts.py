"""Finds private attributes that serve only to print an object: `__repr__` and the like read them, and nothing else.

Public attributes do not count, because other modules may read them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypedDict

from mypy.nodes import AssignmentStmt, CallExpr, MemberExpr, MypyFile, Node, StrExpr
from mypy.plugin import SemanticAnalyzerPluginInterface

from ..compat.resolution import file_of
from ..memory import keep_last
from ..syntax.names import is_named
from ..syntax.trees import assignment_targets, nodes_below
from .class_body import ClassBody
from .field_facts import FieldFacts

# Methods that say what is compared, or may set what is not.
_MAY_LEAVE_OUT: Final = frozenset({"__eq__", "__post_init__"})
_SHOWING: Final = frozenset({"__repr__", "__str__", "__format__", "_repr_html_"})


class ShownFacts(TypedDict, total=False):
    """Facts of a class that defines how it is printed."""

    only_shown: list[str]  # private attributes


def read_shown(body: ClassBody, fields: FieldFacts, api: SemanticAnalyzerPluginInterface) -> ShownFacts:
    """Looks only at classes that may leave attributes out of their `==`."""
    leaves_out = any("compare" in given for given in fields.get("fields", {}).values())
    if not (leaves_out or body.methods.keys() & _MAY_LEAVE_OUT) or _SHOWING.isdisjoint(body.methods):
        return {}
    reads = {name: Counter(_reads(method)) for name, method in body.methods.items()}
    if not _may_only_show(reads):
        return {}  # saves the walk through the whole module, which takes longest
    everywhere = _reads_in(file_of(api))
    inside = Counter[str]()
    showing: set[str] = set()
    new = set(_SHOWING & reads.keys())
    while new:
        showing |= new
        inside.update(name for method in new for name in reads[method].elements())
        new = {name for name in inside if name in reads and name not in showing and inside[name] == everywhere[name]}
    found = (name for name in inside if name[:1] == "_" and name not in reads and inside[name] == everywhere[name])
    return {"only_shown": sorted(found)}


def _may_only_show(reads: Mapping[str, Counter[str]]) -> bool:
    """Whether the printing methods read a method or private attribute that no other method reads."""
    shown = {name for method in _SHOWING & reads.keys() for name in reads[method]}
    others = {name for method, names in reads.items() if method not in _SHOWING for name in names}
    return any(name in reads or name[:1] == "_" for name in shown - others)


@keep_last
def _reads_in(file: MypyFile) -> Counter[str]:
    """How often a module reads each attribute, of any object."""
    return Counter(_reads(file))


def _reads(node: Node) -> Iterator[str]:
    """The names of attributes that are read below a node. A string may name one, for `getattr`."""
    below = nodes_below(node)
    assigned = set(_assigned(below))
    for part in below:
        if isinstance(part, (MemberExpr, StrExpr)) and part not in assigned:
            yield part.name if isinstance(part, MemberExpr) else part.value


def _assigned(below: Iterable[Node]) -> Iterator[Node]:
    """What names an attribute without reading it: `self.x = ...`, `setattr(self, "x", ...)`, `__slots__ = ("x",)`."""
    for node in below:
        if isinstance(node, AssignmentStmt):
            targets = list(assignment_targets(node))
            yield from targets
            if any(is_named(target, "__slots__") for target in targets):
                yield from nodes_below(node.rvalue)
        elif isinstance(node, CallExpr) and getattr(node.callee, "name", "") in ("setattr", "__setattr__"):
            yield from node.args
