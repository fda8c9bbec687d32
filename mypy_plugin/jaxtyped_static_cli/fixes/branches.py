"""Writes `jnp.where` for a branch on a traced value."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import libcst as cst

from jaxtyped_static_mypy.reporting.actions import Action

from ..editing.documents import EXPRESSION, Document
from ..editing.edits import Edit, New
from ..editing.imports import spelling
from ..editing.parameters import annotation_of, parameters
from ..findings.causes import Finding
from .callers import why_may_be_false
from .proofs.compiling import why_not_traced
from .proposals import Change, ProjectFiles, spot_of

_ARITHMETIC: Final = (cst.Add, cst.Subtract, cst.Multiply)
_ONE_ARRAY: Final = frozenset({"Array", "float", "int"})
_BOTH: Final = "both values are then computed, which may raise, or make gradients NaN"
_REMOVED: Final = cst.RemovalSentinel.REMOVE


class _Branch(NamedTuple):
    """A choice between two values: the statement or expression that makes it, and what goes with it."""

    node: cst.If | cst.IfExp
    first: cst.BaseExpression
    second: cst.BaseExpression
    after: cst.CSTNode | None = None  # the statement below an `if`, which returns the second value


def select(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-branch: an `if` that returns one of two values, or `a if c else b`.

    Both values are then computed. So this is safe if they are sums or products of arrays and numbers, and if the
    function itself is compiled, so that nothing calls it with plain numbers.
    """
    spot = spot_of(finding, files) if finding.reported.offered(Action.SELECT) is not None else None
    if spot is None:
        return None
    document = spot.document
    test = document.starting_at(spot.place, EXPRESSION)
    branch = _branch(test, document) if test is not None else None
    where = spelling(document, "jax.numpy.where")
    function = document.parent(test, cst.FunctionDef) if test is not None else None
    if test is None or branch is None or where is None or function is None:
        return None
    code = ", ".join(document.code(_bare(part)) for part in (test, branch.first, branch.second))
    replaced = _replaced(branch, cst.parse_expression(f"{where.text}({code})"))
    is_plain = all(_is_plain(arm, function) for arm in (branch.first, branch.second))
    doubt = why_not_traced(test, document, files.code.source(spot.path), files.code) if is_plain else _BOTH
    doubt = doubt or why_may_be_false(test, spot, files)
    return spot.change(Edit(replaced, imports=where.imports), doubt)


def _branch(test: cst.BaseExpression, document: Document) -> _Branch | None:
    """The branch that a condition decides; the outermost expression at its place may be the whole branch."""
    if isinstance(test, cst.IfExp):
        return None  # `a if c else b` starts with `a`
    parent = next(document.ancestors(test), None)
    if isinstance(parent, cst.IfExp) and parent.test is test:
        return _Branch(parent, parent.body, parent.orelse)
    if not isinstance(parent, cst.If) or parent.test is not test:
        return None
    block = next(document.ancestors(parent), None)
    first = _returned(parent.body)
    if first is None or not isinstance(block, cst.IndentedBlock):
        return None
    if isinstance(parent.orelse, cst.Else):
        second = _returned(parent.orelse.body)
        return _Branch(parent, first, second) if second is not None else None
    below = block.body[block.body.index(parent) + 1 :]
    second = _value(below[0]) if len(below) == 1 and parent.orelse is None else None
    return _Branch(parent, first, second, below[0]) if second is not None else None


def _returned(body: cst.BaseSuite) -> cst.BaseExpression | None:
    """What a block returns that does nothing else."""
    if isinstance(body, cst.IndentedBlock) and len(body.body) == 1:
        return _value(body.body[0])
    return None


def _value(line: cst.CSTNode) -> cst.BaseExpression | None:
    if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 and isinstance(line.body[0], cst.Return):
        return line.body[0].value
    return None


def _replaced(branch: _Branch, call: cst.BaseExpression) -> Mapping[cst.CSTNode, New]:
    if isinstance(branch.node, cst.IfExp):
        return {branch.node: call}
    line = cst.SimpleStatementLine([cst.Return(call)], leading_lines=branch.node.leading_lines)
    return {branch.node: line, **({branch.after: _REMOVED} if branch.after is not None else {})}


def _bare(node: cst.BaseExpression) -> cst.BaseExpression:
    """Without brackets: it becomes an argument. A tuple and a generator need theirs."""
    if isinstance(node, cst.Tuple | cst.GeneratorExp | cst.NamedExpr | cst.Yield):
        return node
    return node.with_changes(lpar=[], rpar=[])


def _is_plain(node: cst.BaseExpression, function: cst.FunctionDef) -> bool:
    """Whether an expression is a number or one array, and computing it can do no harm, not even to gradients."""
    if isinstance(node, cst.Integer | cst.Float):
        return True
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and _is_plain(node.expression, function)
    if isinstance(node, cst.BinaryOperation):
        is_harmless = isinstance(node.operator, _ARITHMETIC)
        return is_harmless and _is_plain(node.left, function) and _is_plain(node.right, function)
    return isinstance(node, cst.Name) and node.value in _arrays(function)


def _arrays(function: cst.FunctionDef) -> set[str]:
    """The parameters that are declared as arrays or numbers, and never bound again."""
    code = cst.Module([]).code_for_node
    return {
        parameter.name.value
        for parameter in parameters(function)
        if (annotation := annotation_of(parameter)) is not None
        and code(annotation).rpartition(".")[2] in _ONE_ARRAY
        and not _is_bound_again(parameter.name.value, function)
    }


def _is_bound_again(name: str, function: cst.FunctionDef) -> bool:
    pending: list[cst.CSTNode] = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.AssignTarget | cst.AugAssign | cst.NamedExpr | cst.For):
            if isinstance(node.target, cst.Name) and node.target.value == name:
                return True
            if isinstance(node.target, cst.Tuple | cst.List):
                return True
        pending += node.children
    return False
