"""Code that is made for several releases of JAX: something else runs where a name is gone, or catches what is raised.

Such code is recognised by what it says, and doubt counts for it.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ...files.python_names import named_last

Parents = Mapping[ast.AST, ast.AST]

_CATCHING: Final = frozenset(
    {"AttributeError", "ImportError", "ModuleNotFoundError", "TypeError", "Exception", "BaseException"}
)
_SUPPRESSING: Final = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})
_SKIPPING: Final = frozenset({"skip", "xfail"})  # decorators of tests
# What a condition asks that tells releases apart; also names that say so: `JAX_VERSION`, `HAS_TREE_MAP`, `OLD_JAX`.
_ASKING: Final = re.compile(
    r"find_spec|TYPE_CHECKING|(?:^|_)HAS_|(?i:version|compat|legacy|(?:old|new)_?jax|jax_?(?:old|new|\d))"
)
_FOR_ATTRIBUTES: Final = frozenset({"getattr", "hasattr"})
_OF_NAMES: Final = frozenset({"__dict__", "dir", "vars"})
_LEAVING: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_LAZY_SINCE: Final = (3, 14)  # annotations are evaluated when somebody asks for them


def ancestors(node: ast.AST, parents: Parents) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The nodes around one, from the inside, each with the node that is its part."""
    while (outer := parents.get(node)) is not None:
        yield outer, node
        node = outer


class Asking(NamedTuple):
    """What tells in a file which release of JAX it is."""

    variables: frozenset[str] = frozenset()
    imported: frozenset[str] = frozenset()
    wanted: str = ""  # the name that something is to guard


def is_guarded(node: ast.AST, parents: Parents, asking: Asking) -> bool:
    asking = asking._replace(wanted=named_last(node))
    around = list(ancestors(node, parents))
    if any(_guards(outer, inner, asking) for outer, inner in around):
        return True
    depth = next((depth for depth, (outer, _) in enumerate(around) if isinstance(outer, _FUNCTIONS)), len(around))
    return any(_leaves(before, asking) for outer, inner in around[: depth + 1] for before in _before(outer, inner))


def asking_in(tree: ast.Module) -> Asking:
    """With the variables that a file assigns what tells releases apart: `_NEW = hasattr(jax, "tree")`."""
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    names = ((alias.asname or alias.name).partition(".")[0] for node in imports for alias in node.names)
    asking = Asking(imported=frozenset(names))
    assigned = (node for node in ast.walk(tree) if isinstance(node, ast.Assign) and _asks(node.value, asking))
    targets = (target for node in assigned for target in node.targets)
    return asking._replace(variables=frozenset(target.id for target in targets if isinstance(target, ast.Name)))


def _guards(outer: ast.AST, inner: ast.AST, asking: Asking) -> bool:
    if isinstance(outer, ast.Try):
        return inner not in outer.finalbody and any(map(_catches, outer.handlers))
    if isinstance(outer, ast.With | ast.AsyncWith):
        return any(_suppresses(item.context_expr) for item in outer.items)
    if isinstance(outer, ast.If | ast.IfExp | ast.While) and _asks(outer.test, asking):
        return True
    if isinstance(outer, (*_FUNCTIONS, ast.ClassDef)):
        return inner not in outer.decorator_list and any(_skips(one, asking) for one in outer.decorator_list)
    others = [value for value in outer.values if value is not inner] if isinstance(outer, ast.BoolOp) else []
    return any(_asks(value, asking) for value in others)


def _before(outer: ast.AST, inner: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a block in front of one."""
    for _, block in ast.iter_fields(outer):
        if isinstance(block, list) and inner in block:
            yield from block[: block.index(inner)]


def _leaves(statement: ast.stmt, asking: Asking) -> bool:
    """`if hasattr(jax, "tree"): return ...`."""
    return isinstance(statement, ast.If) and _asks(statement.test, asking) and isinstance(statement.body[-1], _LEAVING)


def is_dead(node: ast.AST, parents: Parents) -> bool:
    """Whether the statements around something never let it run: it stands behind a `return`, or below `if False`."""
    return any(
        _is_skipped(outer, inner) or any(map(_always_leaves, _before(outer, inner)))
        for outer, inner in ancestors(node, parents)
    )


def _is_skipped(outer: ast.AST, inner: ast.AST) -> bool:
    """Whether a constant decides against a branch; the `else` of a loop that never begins runs."""
    if not (isinstance(outer, ast.If | ast.IfExp | ast.While) and isinstance(outer.test, ast.Constant)):
        return False
    skipped = outer.orelse if outer.test.value else outer.body
    return inner in skipped if isinstance(skipped, list) else inner is skipped


def _always_leaves(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.If):
        return all(any(map(_always_leaves, branch)) for branch in (statement.body, statement.orelse))
    return isinstance(statement, _LEAVING)


def _catches(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(one is None or named_last(one) in _CATCHING for one in caught)


def _suppresses(call: ast.expr) -> bool:
    if not isinstance(call, ast.Call) or named_last(call.func) not in _SUPPRESSING:
        return False
    return any(named_last(argument) in _CATCHING for argument in call.args)


def _skips(decorator: ast.expr, asking: Asking) -> bool:
    """Whether a test does not run, or is expected to fail: `@pytest.mark.skipif(jax.__version__ > "0.4")`."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    is_condition = isinstance(decorator, ast.Call) and named_last(called).lower().startswith("skip")
    return named_last(called) in _SKIPPING or (is_condition and _asks(decorator, asking))


def _asks(test: ast.expr, asking: Asking) -> bool:
    nodes = list(ast.walk(test))
    names = [name for node in nodes if (name := named_last(node))]
    if any(name in asking.variables or _ASKING.search(name) is not None for name in names):
        return True
    if any(isinstance(node, ast.Compare) and _asks_among_names(node, asking) for node in nodes):
        return True
    return any(_asks_for_attribute(node, asking) for node in nodes if isinstance(node, ast.Call))


def _asks_among_names(test: ast.Compare, asking: Asking) -> bool:
    """`"tree" in dir(jax)`, `"tree" in vars(jax)`, `"tree" in jax.__dict__`."""
    if not isinstance(test.ops[0], ast.In | ast.NotIn):
        return False
    among = test.comparators[0]
    owner = among.args[0] if isinstance(among, ast.Call) and among.args else among
    if named_last(among.func if isinstance(among, ast.Call) else among) not in _OF_NAMES:
        return False
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    return isinstance(owner, ast.Name) and owner.id in asking.imported


def _asks_for_attribute(call: ast.Call, asking: Asking) -> bool:
    """`hasattr(jax, "tree")`, `hasattr(x, name)`, and of any object what stands below; not `hasattr(self, "rng")`."""
    if named_last(call.func) not in _FOR_ATTRIBUTES:
        return False
    owner, name = (*call.args, None, None)[:2]
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    is_of_module = not isinstance(owner, ast.Name) or owner.id in asking.imported
    return is_of_module or not isinstance(name, ast.Constant) or name.value == asking.wanted


def is_never_evaluated(node: ast.AST, tree: ast.Module, parents: Parents, python: tuple[int, int]) -> bool:
    """Whether something stands in an annotation that Python keeps as it is written, or in an alias made by `type`."""
    return any(_keeps(outer, inner, tree, parents, python) for outer, inner in ancestors(node, parents))


def _keeps(outer: ast.AST, inner: ast.AST, tree: ast.Module, parents: Parents, python: tuple[int, int]) -> bool:
    if type(outer).__name__ == "TypeAlias":  # since Python 3.12
        return True
    is_annotation = inner in (getattr(outer, "annotation", None), getattr(outer, "returns", None))
    if not is_annotation:
        return False
    return (
        python >= _LAZY_SINCE or _has_future(tree) or (isinstance(outer, ast.AnnAssign) and _is_local(outer, parents))
    )


def _has_future(tree: ast.Module) -> bool:
    imports = (node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__")
    return any(alias.name == "annotations" for node in imports for alias in node.names)


def _is_local(node: ast.AST, parents: Parents) -> bool:
    """Whether a statement is in a function, and not in a class there."""
    around = (outer for outer, _ in ancestors(node, parents) if isinstance(outer, (*_FUNCTIONS, ast.ClassDef)))
    return isinstance(next(around, None), _FUNCTIONS)
