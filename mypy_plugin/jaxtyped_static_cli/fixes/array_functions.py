"""Writes functions of `jax.numpy` for those of Python and NumPy that need the value of what they get."""

import re
from typing import Final

import libcst as cst
from libcst.helpers import get_full_name_for_node

from ..editing.documents import EXPRESSION, Node
from ..editing.edits import Edit
from ..editing.imports import imported, spelling
from ..findings import Finding
from .proposals import Change, Program, spot_of

_TESTED: Final = (cst.If, cst.While, cst.Assert, cst.IfExp, cst.BooleanOperation, cst.UnaryOperation, cst.CompIf)
_ADVICE: Final = re.compile(r"use jnp\.(?P<name>maximum|minimum|any|all)$")
_ARGUMENTS: Final = {"maximum": 2, "minimum": 2, "any": 1, "all": 1}


def call_array_function(finding: Finding, program: Program) -> Change | None:
    """jit-branch: `jnp.maximum` for `max`, and so on. Python's function raises for tracers, so this is safe."""
    spot, advice = spot_of(finding, program), _ADVICE.match(finding.advice)
    call = spot.document.around(spot.place, cst.Call) if spot is not None else None
    if spot is None or advice is None or call is None:
        return None
    wanted = _ARGUMENTS[advice["name"]]
    if len(call.args) != wanted or any(one.keyword is not None or one.star for one in call.args):
        return None
    if isinstance(call.args[0].value, cst.GeneratorExp | cst.List | cst.ListComp | cst.Tuple):
        return None
    new = spelling(spot.document, f"jax.numpy.{advice['name']}")
    if new is None or not isinstance(call.func, cst.Name):
        return None
    return spot.change(Edit({call.func: cst.parse_expression(new.text)}, imports=new.imports), is_safe=True)


def call_jax_numpy(finding: Finding, program: Program) -> Change | None:
    """jit-branch: `jnp.sin` for `np.sin`, which raises for tracers."""
    spot = spot_of(finding, program)
    if spot is None or finding.advice.partition(", or ")[0] != "use jax.numpy":
        return None
    call = spot.document.starting_at(spot.place, cst.Call) or spot.document.around(spot.place, cst.Call)
    known = {one.bound: one.full_name for one in imported(spot.document.module)}
    name = get_full_name_for_node(call.func) if call is not None else None
    if call is None or name is None:
        return None
    root, _, rest = name.partition(".")
    if known.get(root) != "numpy" or not rest:
        return None
    new = spelling(spot.document, f"jax.numpy.{rest}")
    if new is None:
        return None
    return spot.change(Edit({call.func: cst.parse_expression(new.text)}, imports=new.imports), is_safe=True)


def compare_by_halves(finding: Finding, program: Program) -> Change | None:
    """jit-branch: `(a < x) & (x < b)` for `a < x < b`, outside of conditions."""
    spot = spot_of(finding, program)
    if spot is None or not finding.advice.startswith("write (a < x) & (x < b)"):
        return None
    node = spot.document.starting_at(spot.place, cst.Comparison)
    parent = next(spot.document.ancestors(node), None) if node is not None else None
    if node is None or isinstance(parent, _TESTED) or len(node.comparisons) != 2:
        return None
    first, second = node.comparisons
    middle = first.comparator
    if not isinstance(middle, cst.Name | cst.Attribute | cst.Integer | cst.Float):
        return None
    left, right = cst.Comparison(node.left, [first]), cst.Comparison(middle, [second])
    new = cst.BinaryOperation(_bracketed(left), cst.BitAnd(), _bracketed(right))
    new = (
        _bracketed(new) if isinstance(parent, cst.BaseExpression) else new.with_changes(lpar=node.lpar, rpar=node.rpar)
    )
    return spot.change(Edit({node: new}), is_safe=True)


def _bracketed(node: Node) -> Node:
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def compare_with_none(finding: Finding, program: Program) -> Change | None:
    """jit-branch: `x is not None` for `x`, which raises unless it is None."""
    spot = spot_of(finding, program)
    if spot is None or "unless it is None" not in finding.problem:
        return None
    node = spot.document.starting_at(spot.place, EXPRESSION)
    is_negated = isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)
    operand, operator = (node.expression, "is") if isinstance(node, cst.UnaryOperation) else (node, "is not")
    if node is None or (operator == "is" and not is_negated) or not isinstance(operand, cst.Name | cst.Attribute):
        return None
    return spot.change(
        Edit({node: cst.parse_expression(f"{spot.document.code(operand)} {operator} None")}), is_safe=True
    )
