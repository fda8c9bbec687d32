"""Moves the making of a function to where it runs once: before a loop, or to module level."""

import builtins
import re
from collections.abc import Iterator
from itertools import chain, count
from typing import Final

import libcst as cst

from jaxtyped_static_mypy.reporting.mechanical import (
    A_LAMBDA,
    BIND_AT_MODULE_LEVEL,
    DEFINE_AT_MODULE_LEVEL,
    JIT_AT_MODULE_LEVEL,
    NEW_EACH_PASS,
)
from jaxtyped_static_mypy.reporting.reading import filled, offered

from ..editing.documents import EXPRESSION, Document
from ..editing.edits import Edit, Statement
from ..editing.imports import imported, names
from ..findings import Finding
from .proposals import Change, Program, spot_of

_JITTED: Final = "jitted"
_AT_MODULE_LEVEL: Final = (JIT_AT_MODULE_LEVEL, DEFINE_AT_MODULE_LEVEL, BIND_AT_MODULE_LEVEL)
_POSITION: Final = re.compile(r'Static (?:argument|field) "(\w+)"')


def jit_before_loop(finding: Finding, program: Program) -> Change | None:
    """jit-retrace. Safe if the lambda uses only its parameters and what the module defines once."""
    says = filled(NEW_EACH_PASS, finding.problem)
    spot = spot_of(finding, program) if says is not None and says["fresh"] == A_LAMBDA else None
    if spot is None:
        return None
    call = _jit_call(spot.document.starting_at(spot.place, cst.Call))
    loop = _loop_around(call, spot.document) if call is not None else None
    if call is None or loop is None or not call.args or not isinstance(call.args[0].value, cst.Lambda):
        return None
    captured = set(_used(call))
    if captured & set(_bound(loop)):
        return None
    return spot.change(_moved(call, loop, spot.document), is_safe=captured <= _constants(spot.document))


def make_at_module_level(finding: Finding, program: Program) -> Change | None:
    """jit-retrace, static-callable: for what uses only its parameters and what the module defines above."""
    is_meant = any(offered(template, finding.advice) is not None for template in _AT_MODULE_LEVEL)
    spot = spot_of(finding, program) if is_meant else None
    if spot is None:
        return None
    document = spot.document
    position = _POSITION.match(finding.positions[0].description) if finding.positions else None
    found = document.starting_at(spot.place, EXPRESSION)
    made = found if position is not None else _jit_call(found)
    if not isinstance(made, cst.Lambda | cst.Call) or (position is None and finding.code != "jit-retrace"):
        return None
    top = next((node for node in document.ancestors(made) if node in document.module.body), None)
    if not isinstance(top, cst.FunctionDef | cst.ClassDef) or not set(_used(made)) <= _constants(document, until=top):
        return None
    name = _new_name(f"_{position[1]}" if position is not None else f"_{_JITTED}", document)
    before = _definition(name, made)
    edit = Edit({made: cst.Name(name)}, before={top: [before]}, defined=frozenset({name}))
    return spot.change(edit, is_safe=sum(1 for _ in _calls(made)) <= 1)


def _calls(node: cst.CSTNode) -> Iterator[cst.Call]:
    """The calls that evaluating an expression makes."""
    if isinstance(node, cst.Lambda):
        return
    if isinstance(node, cst.Call):
        yield node
    for child in node.children:
        yield from _calls(child)


def _definition(name: str, made: cst.Lambda | cst.Call) -> Statement:
    if isinstance(made, cst.Call):
        return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], made)])
    returned = cst.SimpleStatementLine([cst.Return(made.body)])
    return cst.FunctionDef(cst.Name(name), made.params, cst.IndentedBlock([returned]))


def _jit_call(found: cst.BaseExpression | None) -> cst.Call | None:
    """`jax.jit(f)` in `jax.jit(f)(x)`."""
    while isinstance(found, cst.Call) and isinstance(found.func, cst.Call):
        found = found.func
    return found if isinstance(found, cst.Call) else None


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
    name = _new_name(_JITTED, document)
    return Edit({call: cst.Name(name)}, before={loop: [_definition(name, call)]}, defined=frozenset({name}))


def _new_name(wanted: str, document: Document) -> str:
    taken = set(names(document.module))
    numbered = (f"{wanted}_{number}" for number in count(2))
    return next(name for name in chain([wanted], numbered) if name not in taken)


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
    """The names that an expression reads from around it; of `a.b`, the `a`."""
    if isinstance(node, cst.Attribute | cst.Arg):
        yield from _used(node.value)
    elif isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.Lambda):
        given = node.params
        stars = [one for one in (given.star_arg, given.star_kwarg) if isinstance(one, cst.Param)]
        own = [*given.posonly_params, *given.params, *given.kwonly_params, *stars]
        yield from set(_used(node.body)) - {one.name.value for one in own}
        yield from (name for one in own if one.default is not None for name in _used(one.default))
    else:
        for child in node.children:
            yield from _used(child)


def _bound(node: cst.CSTNode) -> Iterator[str]:
    """The names that code binds."""
    if isinstance(node, cst.AssignTarget | cst.AnnAssign | cst.AugAssign | cst.For | cst.NamedExpr | cst.CompFor):
        yield from _used(node.target)
    elif isinstance(node, cst.AsName):
        yield from _used(node.name)
    elif isinstance(node, cst.FunctionDef | cst.ClassDef):
        yield node.name.value
    for child in node.children:
        yield from _bound(child)


def _constants(document: Document, until: cst.CSTNode | None = None) -> set[str]:
    """What the module imports or defines, and never binds otherwise. `until`: only what is defined before."""
    body = document.module.body
    body = body[: body.index(until)] if until in body else body
    bound = list(_bound(document.module))
    defined = {part.name.value for part in body if isinstance(part, cst.FunctionDef | cst.ClassDef)}
    once = {name for name in defined if bound.count(name) == 1}
    from_imports = {one.bound for one in imported(document.module.with_changes(body=body))} - set(bound)
    return once | from_imports | (set(vars(builtins)) - set(bound))
