"""Reads conditions on the keys of a dict, such as `key != "x"` in a comprehension."""

from typing import Final

from mypy.nodes import ComparisonExpr, Expression, ListExpr, NameExpr, OpExpr, SetExpr, StrExpr, TupleExpr, UnaryExpr

_DISPLAYS: Final = (TupleExpr, ListExpr, SetExpr)


def excluded_keys(condition: Expression, key: str) -> list[str] | None:
    """The keys that do not meet a condition, if all others do."""
    if isinstance(condition, OpExpr) and condition.op == "and":
        left, right = excluded_keys(condition.left, key), excluded_keys(condition.right, key)
        return left + right if left is not None and right is not None else None
    negated = isinstance(condition, UnaryExpr) and condition.op == "not"
    comparison = condition.expr if isinstance(condition, UnaryExpr) else condition
    if not isinstance(comparison, ComparisonExpr) or len(comparison.operands) != 2:
        return None
    one, other = comparison.operands
    if not isinstance(one, NameExpr) or one.name != key:
        return None
    if comparison.operators[0] == ("==" if negated else "!="):
        return [other.value] if isinstance(other, StrExpr) else None
    if comparison.operators[0] != ("in" if negated else "not in") or not isinstance(other, _DISPLAYS):
        return None
    texts = [item.value for item in other.items if isinstance(item, StrExpr)]
    return texts if len(texts) == len(other.items) else None
