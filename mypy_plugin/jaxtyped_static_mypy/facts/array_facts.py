"""Reads which attributes the constructors of a class visibly set to arrays, whatever mypy knows of their types."""

from typing import TypedDict

from mypy.nodes import AssignmentStmt, CallExpr, Expression, MemberExpr, OpExpr, UnaryExpr
from mypy.plugin import SemanticAnalyzerPluginInterface

from ..compat.resolution import spelled_name
from ..knowledge.full_names import ARRAY_MAKERS, JAX_RANDOM, VARIABLE_MAKERS
from ..syntax.assignments import assigned_pairs
from ..syntax.names import attribute_of, dotted_name
from ..syntax.trees import statements
from .class_body import ClassBody, self_name
from .set_facts import CONSTRUCTORS


class ArrayFacts(TypedDict, total=False):
    """Facts of the arrays that a class makes."""

    makes_arrays: list[str]  # attributes that constructors set to what they make with JAX or NumPy
    makes_variables: list[str]  # those that they set to new variables, which hold arrays


def read_arrays(body: ClassBody, api: SemanticAnalyzerPluginInterface) -> ArrayFacts:
    constructors = [body.methods[name] for name in CONSTRUCTORS if name in body.methods]
    found = [
        (name, value)
        for function in constructors
        for node in statements(function.body.body, into_definitions=False)
        if isinstance(node, AssignmentStmt)
        for target, value in assigned_pairs(node)
        if (name := attribute_of(target, self_name(function))) is not None
    ]
    others = {name for name, value in found if not _is_variable(value, api)}
    return {
        "makes_arrays": sorted({name for name, value in found if _is_array(value, api)}),
        "makes_variables": sorted({name for name, _ in found} - others),
    }


def _is_variable(value: Expression | None, api: SemanticAnalyzerPluginInterface) -> bool:
    called = dotted_name(value.callee) if isinstance(value, CallExpr) else None
    return called is not None and spelled_name(api, called) in VARIABLE_MAKERS


def _is_array(value: Expression | None, api: SemanticAnalyzerPluginInterface) -> bool:
    """Whether a value is `jnp.ones(3)`, what an operator makes of it, or what one of its methods returns."""
    if isinstance(value, OpExpr):
        return _is_array(value.left, api) or _is_array(value.right, api)
    if isinstance(value, UnaryExpr):
        return _is_array(value.expr, api)
    if not isinstance(value, CallExpr):
        return False
    written = dotted_name(value.callee)
    if written is None:
        return isinstance(value.callee, MemberExpr) and _is_array(value.callee.expr, api)
    name = spelled_name(api, written) or ""
    return name in ARRAY_MAKERS or name.startswith(JAX_RANDOM)
