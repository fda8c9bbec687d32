"""Writes functions of `jax.numpy` for those of Python and NumPy that need the value of what they get."""

from collections.abc import Sequence
from typing import Final

import libcst as cst
from libcst.helpers import get_full_name_for_node

from jaxtyped_static_mypy.reporting.actions import Action
from jaxtyped_static_mypy.reporting.harm import Harm, harm_of

from ..editing.documents import EXPRESSION, Node
from ..editing.edits import Edit
from ..editing.imports import imported, spelling
from ..findings.causes import Finding
from .callers import why_may_be_empty, why_may_be_false
from .proofs.compiling import why_not_traced
from .proposals import Change, ProjectFiles, Spot, spot_of

_TESTED: Final = (cst.If, cst.While, cst.Assert, cst.IfExp, cst.BooleanOperation, cst.UnaryOperation, cst.CompIf)
_LOGICAL: Final = ("logical_and", "logical_or")
_CONVERTING: Final = ("float", "int", "bool")
_TIGHT: Final = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
_OTHER_TYPE: Final = "the result may have another type or precision than what was meant"
_OTHER_ANSWER: Final = "NumPy finds that no tracer is equal, and jax.numpy compares the values"
_ARGUMENTS: Final = {"maximum": 2, "minimum": 2, "any": 1, "all": 1}


def call_array_function(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-branch: `jnp.maximum` for `max`, and so on. Python's function raises for tracers."""
    function = _function(finding)
    spot = spot_of(finding, files) if function in _ARGUMENTS else None
    call = spot.document.around(spot.place, cst.Call) if spot is not None else None
    if spot is None or call is None:
        return None
    wanted = _ARGUMENTS[function]
    if len(call.args) != wanted or any(argument.keyword is not None or argument.star for argument in call.args):
        return None
    if isinstance(call.args[0].value, cst.GeneratorExp | cst.List | cst.ListComp | cst.Tuple):
        return None
    new = spelling(spot.document, f"jax.numpy.{function}")
    if new is None or not isinstance(call.func, cst.Name):
        return None
    edit = Edit({call.func: cst.parse_expression(new.text)}, imports=new.imports)
    doubt = _doubt(call, spot, files)
    return spot.change(edit, doubt or (why_may_be_false(call.args[0].value, spot, files) if wanted == 1 else ""))


def _function(finding: Finding) -> str:
    """The function of `jax.numpy` that the advice names, if it does."""
    advised = finding.reported.offered(Action.CALL_ARRAY_FUNCTION)
    return advised.value("function") if advised is not None else ""


def call_jax_numpy(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-branch: `jnp.sin` for `np.sin`, which raises for tracers; safe only if it does."""
    spot = spot_of(finding, files) if finding.reported.offered(Action.USE_JAX_NUMPY) is not None else None
    if spot is None:
        return None
    call = _node(spot, cst.Call)
    known = {import_.bound: import_.full_name for import_ in imported(spot.document.module)}
    name = get_full_name_for_node(call.func) if call is not None else None
    if call is None or name is None:
        return None
    root, _, rest = name.partition(".")
    if known.get(root) != "numpy" or not rest:
        return None
    new = spelling(spot.document, f"jax.numpy.{rest}")
    if new is None:
        return None
    edit = Edit({call.func: cst.parse_expression(new.text)}, imports=new.imports)
    raises = harm_of(finding.code, finding.reported.kind) is Harm.RAISES
    return spot.change(edit, _doubt(call, spot, files) if raises else _OTHER_ANSWER)


def compare_by_halves(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-branch: `(a < x) & (x < b)` for `a < x < b`, outside of conditions."""
    spot = spot_of(finding, files) if finding.reported.offered(Action.COMPARE_BY_HALVES) is not None else None
    if spot is None:
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
    return spot.change(Edit({node: new}), _doubt(node, spot, files))


def _bracketed(node: Node) -> Node:
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def compare_with_none(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-branch: `x is not None` for `x`, which raises unless it is None."""
    spot = spot_of(finding, files) if finding.reported.offered(Action.TEST_FOR_NONE) is not None else None
    if spot is None:
        return None
    node = spot.document.starting_at(spot.place, EXPRESSION)
    is_negated = isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)
    operand, operator = (node.expression, "is") if isinstance(node, cst.UnaryOperation) else (node, "is not")
    if node is None or (operator == "is" and not is_negated) or not isinstance(operand, cst.Name | cst.Attribute):
        return None
    edit = Edit({node: cst.parse_expression(f"{spot.document.code(operand)} {operator} None")})
    return spot.change(edit, _doubt(node, spot, files) or why_may_be_empty(operand, spot, files))


def keep_arrays(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-branch: other functions and operators that need a value. What was meant may differ in type and precision."""
    if (function := _function(finding)) in _LOGICAL:
        return _call_logical(function, finding, files)
    spot = spot_of(finding, files) if finding.reported.offered(Action.KEEP_ARRAY) is not None else None
    call = _node(spot, cst.Call) if spot is not None else None
    if spot is None or call is None or len(call.args) != 1 or call.args[0].keyword is not None or call.args[0].star:
        return None
    name, value = get_full_name_for_node(call.func) or "", call.args[0].value
    if name in _CONVERTING:
        return _called(spot, call, "jax.numpy.asarray", [value], dtype=name)
    return _called(spot, call, f"jax.numpy.{name[5:]}", [value]) if name.startswith("math.") else None


def _call_logical(function: str, finding: Finding, files: ProjectFiles) -> Change | None:
    spot = spot_of(finding, files)
    operation = _node(spot, cst.BooleanOperation) if spot is not None else None
    if spot is None or operation is None:
        return None
    return _called(spot, operation, f"jax.numpy.{function}", [operation.left, operation.right])


def _doubt(node: cst.CSTNode, spot: Spot, files: ProjectFiles) -> str:
    return why_not_traced(node, spot.document, files.code.source(spot.path), files.code)


def _node(spot: Spot, kind: type[Node]) -> Node | None:
    """The node of a kind that starts at the place, or else the one around it."""
    return spot.document.starting_at(spot.place, kind) or spot.document.around(spot.place, kind)


def _called(
    spot: Spot, node: cst.BaseExpression, function: str, values: Sequence[cst.BaseExpression], dtype: str | None = None
) -> Change | None:
    """Replaces an expression by a call; not a condition, which would need the value all the same."""
    new = spelling(spot.document, function)
    if new is None or isinstance(next(spot.document.ancestors(node), None), _TESTED):
        return None
    given = [cst.Arg(value.with_changes(lpar=[], rpar=[])) for value in values]
    given += [cst.Arg(cst.Name(dtype), cst.Name("dtype"), _TIGHT)] if dtype is not None else []
    call = cst.Call(cst.parse_expression(new.text), given)
    return spot.change(Edit({node: call}, imports=new.imports), _OTHER_TYPE)
