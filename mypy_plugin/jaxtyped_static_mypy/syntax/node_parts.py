"""What is directly below a node of mypy's syntax trees, by its kind."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final

from mypy import nodes, patterns
from mypy.nodes import Node

# Attributes in which nodes keep the nodes below them.
BLOCKS: Final = ("body", "else_body", "finally_body", "handlers", "bodies")
_PARTS: Final = (
    *BLOCKS, "args", "base", "callee", "cond", "condlists", "defs", "else_expr", "expr", "exprs", "from_expr", "func",
    "generator", "if_expr", "index", "indices", "items", "key", "left", "left_expr", "lvalue", "lvalues", "msg",
    "operands", "right", "rvalue", "sequences", "subject", "target", "value", "arguments", "initializer", "guards",
)  # fmt: skip
# These attributes of each kind of node that is usual in a function body.
CHILDREN: Final[dict[type[Node], tuple[str, ...]]] = {
    # statements
    nodes.AssertStmt: ("expr", "msg"),
    nodes.AssignmentStmt: ("lvalues", "rvalue"),
    nodes.Block: ("body",),
    nodes.BreakStmt: (),
    nodes.ContinueStmt: (),
    nodes.Decorator: ("func",),
    nodes.DelStmt: ("expr",),
    nodes.ExpressionStmt: ("expr",),
    nodes.ForStmt: ("index", "expr", "body", "else_body"),
    nodes.FuncDef: ("arguments", "body"),
    nodes.IfStmt: ("expr", "body", "else_body"),
    nodes.Import: (),
    nodes.ImportFrom: (),
    nodes.OperatorAssignmentStmt: ("lvalue", "rvalue"),
    nodes.PassStmt: (),
    nodes.RaiseStmt: ("expr", "from_expr"),
    nodes.ReturnStmt: ("expr",),
    nodes.TryStmt: ("body", "types", "vars", "handlers", "else_body", "finally_body"),
    nodes.WhileStmt: ("expr", "body", "else_body"),
    nodes.WithStmt: ("expr", "target", "body"),
    # expressions
    nodes.Argument: ("initializer",),
    nodes.AssignmentExpr: ("target", "value"),
    nodes.BytesExpr: (),
    nodes.CallExpr: ("callee", "args"),
    nodes.CastExpr: ("expr",),
    nodes.ComparisonExpr: ("operands",),
    nodes.ComplexExpr: (),
    nodes.ConditionalExpr: ("cond", "if_expr", "else_expr"),
    nodes.DictExpr: ("items",),
    nodes.DictionaryComprehension: ("key", "value", "indices", "sequences", "condlists"),
    nodes.EllipsisExpr: (),
    nodes.FloatExpr: (),
    nodes.GeneratorExpr: ("left_expr", "indices", "sequences", "condlists"),
    nodes.IndexExpr: ("base", "index"),
    nodes.IntExpr: (),
    nodes.LambdaExpr: ("arguments", "body"),
    nodes.ListComprehension: ("generator",),
    nodes.ListExpr: ("items",),
    nodes.MemberExpr: ("expr",),
    nodes.NameExpr: (),
    nodes.OpExpr: ("left", "right"),
    nodes.SetComprehension: ("generator",),
    nodes.SetExpr: ("items",),
    nodes.SliceExpr: ("begin_index", "end_index", "stride"),
    nodes.StarExpr: ("expr",),
    nodes.StrExpr: (),
    nodes.SuperExpr: ("call",),
    nodes.TupleExpr: ("items",),
    nodes.UnaryExpr: ("expr",),
    nodes.YieldExpr: ("expr",),
    nodes.YieldFromExpr: ("expr",),
}
# Statements that contain no other statements.
SIMPLE: Final[frozenset[type[Node]]] = frozenset(
    kind
    for kind, below in CHILDREN.items()
    if issubclass(kind, nodes.Statement) and kind is not nodes.Block and not {*BLOCKS, "func"}.intersection(below)
)
# Those of definitions, with their decorators and bases, and of patterns.
_WHOLE: Final[dict[type[Node], tuple[str, ...]]] = {
    nodes.MypyFile: ("defs",),
    nodes.ClassDef: ("decorators", "base_type_exprs", "defs"),
    # Semantic analysis takes `property`, `staticmethod` and the like out of `decorators` (mypy 2.4.1).
    nodes.Decorator: ("original_decorators", "func"),
    # Semantic analysis takes the implementation out of `items`, and all definitions if none is an `@overload`.
    nodes.OverloadedFuncDef: ("unanalyzed_items",),
    nodes.MatchStmt: ("subject", "patterns", "guards", "bodies"),
    patterns.AsPattern: ("pattern", "name"),
    patterns.ClassPattern: ("class_ref", "positionals", "keyword_values"),
    patterns.MappingPattern: ("keys", "values", "rest"),
    patterns.OrPattern: ("patterns",),
    patterns.SequencePattern: ("patterns",),
    patterns.SingletonPattern: (),
    patterns.StarredPattern: ("capture",),
    patterns.ValuePattern: ("expr",),
}
_ALL: Final = {**CHILDREN, **_WHOLE}


def nodes_under(node: Node, names: Iterable[str]) -> list[Node]:
    """The nodes in these attributes of a node, in order."""
    return _under(names, node)


def _under(names: Iterable[str], node: Node) -> list[Node]:
    found: list[Node] = []
    for name in names:
        value = getattr(node, name, None)
        if isinstance(value, Node):
            found.append(value)
        elif value:
            _collect(value, found)
    return found


def _collect(value: object, found: list[Node]) -> None:
    if isinstance(value, (list, tuple)):
        for item in value:
            if isinstance(item, Node):
                found.append(item)
            elif item:
                _collect(item, found)


def of_function(function: Any) -> Sequence[Node]:
    """The parameters and the body of a function; one that mypy took from its cache has neither (2.4.1)."""
    try:
        return [*function.arguments, function.body]
    except AttributeError:
        return ()


def _given(*parts: Node | None) -> list[Node]:
    """Those parts that a node has."""
    return [part for part in parts if part is not None]


_Read = Callable[[Any], Sequence[Node]]
# What is directly below a node, by its kind; None for a kind below which nothing is. Most nodes of a tree are of the
# kinds listed here, of which it is known what their attributes hold. `attrgetter` needs no call of a Python function.
BELOW: Final[dict[type[Node], _Read | None]] = {
    **{kind: partial(_under, names) if names else None for kind, names in _ALL.items()},
    nodes.Argument: lambda node: () if node.initializer is None else (node.initializer,),
    nodes.AssignmentStmt: lambda node: [*node.lvalues, node.rvalue],
    nodes.Block: attrgetter("body"),
    nodes.CallExpr: lambda node: [node.callee, *node.args],
    nodes.ClassDef: lambda node: [*node.decorators, *node.base_type_exprs, node.defs],
    nodes.ComparisonExpr: attrgetter("operands"),
    nodes.ConditionalExpr: attrgetter("cond", "if_expr", "else_expr"),
    nodes.Decorator: lambda node: [*node.original_decorators, node.func],
    nodes.DictExpr: lambda node: [part for item in node.items for part in item if part is not None],
    nodes.ExpressionStmt: lambda node: (node.expr,),
    nodes.ForStmt: lambda node: _given(node.index, node.expr, node.body, node.else_body),
    nodes.FuncDef: of_function,
    nodes.IfStmt: lambda node: [*node.expr, *node.body, *(() if node.else_body is None else (node.else_body,))],
    nodes.IndexExpr: attrgetter("base", "index"),
    nodes.LambdaExpr: of_function,
    nodes.ListExpr: attrgetter("items"),
    nodes.MemberExpr: lambda node: (node.expr,),
    nodes.OpExpr: attrgetter("left", "right"),
    nodes.OperatorAssignmentStmt: attrgetter("lvalue", "rvalue"),
    nodes.RaiseStmt: lambda node: _given(node.expr, node.from_expr),
    nodes.ReturnStmt: lambda node: () if node.expr is None else (node.expr,),
    nodes.SliceExpr: lambda node: _given(node.begin_index, node.end_index, node.stride),
    nodes.StarExpr: lambda node: (node.expr,),
    nodes.TempNode: None,  # stands for the value of `x: int`
    nodes.TupleExpr: attrgetter("items"),
    nodes.UnaryExpr: lambda node: (node.expr,),
}
OF_OTHERS: Final = partial(_under, _PARTS)
