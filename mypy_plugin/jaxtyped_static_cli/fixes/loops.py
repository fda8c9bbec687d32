"""Moves a lambda that is jitted in a loop out of it."""

import builtins
from collections.abc import Iterator
from itertools import count
from typing import Final

import libcst as cst

from ..editing.documents import Document
from ..editing.edits import Edit, Statement
from ..editing.imports import imported, names
from ..findings import Finding
from .proposals import Change, Program, spot_of

_NAME: Final = "jitted"


def jit_before_loop(finding: Finding, program: Program) -> Change | None:
    """jit-retrace. Safe if the lambda uses only its parameters and what the module defines once."""
    spot = spot_of(finding, program)
    if spot is None or not finding.problem.startswith("a lambda is new on every pass of the loop"):
        return None
    document = spot.document
    call = document.starting_at(spot.place, cst.Call)
    while call is not None and isinstance(call.func, cst.Call):
        call = call.func
    loop = _loop_around(call, document) if call is not None else None
    if call is None or loop is None or not call.args or not isinstance(call.args[0].value, cst.Lambda):
        return None
    captured = set(_used(call)) - {one.name.value for one in call.args[0].value.params.params}
    if captured & set(_bound(loop)):
        return None
    return spot.change(_moved(call, loop, document), is_safe=captured <= _constants(document))


def _moved(call: cst.Call, loop: Statement, document: Document) -> Edit | None:
    """Moves `step = jax.jit(...)` as it is; a call inside of an expression gets a name."""
    parent = next(document.ancestors(call), None)
    line = document.parent(call, cst.SimpleStatementLine)
    if isinstance(parent, cst.Assign) and line is not None and len(line.body) == 1 and len(parent.targets) == 1:
        target = parent.targets[0].target
        block = next(document.ancestors(line), None)
        is_only = isinstance(block, cst.IndentedBlock) and len(block.body) > 1
        if isinstance(target, cst.Name) and is_only and list(_bound(loop)).count(target.value) == 1:
            moved = line.with_changes(leading_lines=())
            return Edit({line: cst.RemovalSentinel.REMOVE}, before={loop: [moved]})
        return None
    taken = set(names(document.module))
    name = next(name for name in (_NAME, *(f"{_NAME}_{number}" for number in count(2))) if name not in taken)
    assigned = cst.Assign([cst.AssignTarget(cst.Name(name))], call)
    return Edit({call: cst.Name(name)}, before={loop: [cst.SimpleStatementLine([assigned])]})


def _loop_around(call: cst.Call, document: Document) -> cst.For | cst.While | None:
    """The nearest loop of the same function whose body has the call."""
    inner: cst.CSTNode = call
    for node in document.ancestors(call):
        if isinstance(node, cst.FunctionDef | cst.Lambda | cst.ClassDef):
            return None
        if isinstance(node, cst.For | cst.While):
            return node if inner is node.body else None
        inner = node
    return None


def _used(node: cst.CSTNode) -> Iterator[str]:
    """The names that an expression reads; of `a.b`, the `a`."""
    if isinstance(node, cst.Attribute):
        yield from _used(node.value)
    elif isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.Arg):
        yield from _used(node.value)
    else:
        for child in node.children:
            yield from _used(child)


def _bound(node: cst.CSTNode) -> Iterator[str]:
    """The names that code binds."""
    if isinstance(node, cst.AssignTarget | cst.AnnAssign | cst.AugAssign | cst.For | cst.NamedExpr):
        yield from _used(node.target)
    elif isinstance(node, cst.AsName | cst.CompFor):
        yield from _used(node.name if isinstance(node, cst.AsName) else node.target)
    elif isinstance(node, cst.FunctionDef | cst.ClassDef):
        yield node.name.value
    for child in node.children:
        yield from _bound(child)


def _constants(document: Document) -> set[str]:
    """What the module imports or defines, and never binds otherwise."""
    defined = [part.name.value for part in document.module.body if isinstance(part, cst.FunctionDef | cst.ClassDef)]
    once = {name for name in defined if list(_bound(document.module)).count(name) == 1}
    return once | {one.bound for one in imported(document.module)} | set(vars(builtins))
