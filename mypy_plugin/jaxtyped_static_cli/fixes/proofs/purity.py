"""That a function does the same whenever JAX traces it.

A function that is made once is traced once for each signature. If it was made again for each call, it was also traced
again, and saw what had changed: other values of globals, other functions under the same name, objects that were
modified. What it printed, counted or stored while it was traced happened each time.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ...files.python_names import bound_by
from .bindings import Meaning, is_immutable, meaning_of
from .changing import changed_at
from .code import FUNCTIONS, PROJECTS_KEPT, Code, Function, Source, dotted, parameters
from .reflection import reflection, reflection_on_packages

# Modules whose functions compute, and have no state.
_COMPUTING: Final = (
    "jax.numpy", "jax.lax", "jax.nn", "jax.random", "jax.scipy", "jax.tree", "jax.tree_util", "math",
)  # fmt: skip
_TRANSFORMING: Final = frozenset(
    f"jax.{name}"
    for name in ("vmap", "grad", "value_and_grad", "jvp", "vjp", "jacfwd", "jacrev", "hessian", "checkpoint", "remat")
)
_COMPILING: Final = frozenset({"jax.jit", "jaxtyped_static.jit", "functools.partial"})
_BUILTINS: Final = frozenset(
    f"builtins.{name}"
    for name in (
        "abs", "all", "any", "bool", "complex", "dict", "divmod", "enumerate", "filter", "float", "int", "isinstance",
        "len", "list", "map", "max", "min", "pow", "range", "reversed", "round", "set", "slice", "sorted", "str", "sum",
        "tuple", "zip", "ValueError", "TypeError", "True", "False", "None",
    )
)  # fmt: skip
_HARMLESS_DECORATORS: Final = frozenset(f"builtins.{name}" for name in ("property", "staticmethod", "classmethod"))
_AS_TEXT: Final = "builtins.str"
_TEXTS: Final = ("__format__", "__repr__", "__str__")
_READING: Final = ("__getattr__", "__getattribute__")
_STATEMENTS: Final = (
    ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Expr, ast.Pass, ast.Assert,
    ast.Break, ast.Continue, ast.Raise, ast.FunctionDef,
)  # fmt: skip
_WAITING: Final = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_CONSTANT: Final = (ast.Constant, ast.Name, ast.Attribute, ast.UnaryOp)
# Special methods that computing does not call, or that are read where they are called.
_NOT_OPERATORS: Final = frozenset(
    f"__{name}__"
    for name in (
        "call", "class_getitem", "copy", "deepcopy", "del", "delattr", "delete", "enter", "exit", "format", "getattr",
        "getattribute", "getstate", "init", "init_subclass", "new", "post_init", "reduce", "repr", "set", "set_name",
        "setattr", "setitem", "setstate", "str",
    )
)  # fmt: skip


class Reading:
    """Reads what an expression may run, through the functions of the project that it may call."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._seen: set[ast.AST] = set()

    def why_not_pure(self, node: ast.expr, source: Source) -> str:
        """Why a function made by an expression, which uses nothing but names of the module, may do something else."""
        return _doubt_of_operators(self._code) or next(self._node(node, source, frozenset(), frozenset()), "")

    def why_body_not_pure(self, function: ast.FunctionDef, source: Source, called: str) -> str:
        """Why a function that gets another one as the parameter `called`, and may call it, may do something else."""
        return next(self._decorated(function, source, frozenset({called})), "")

    def _function(
        self,
        node: Function,
        source: Source,
        called: frozenset[str] = frozenset(),
        outer: frozenset[str] = frozenset(),
        given: frozenset[str] = frozenset(),
    ) -> Iterator[str]:
        """`called`: functions in local variables that are read on their own, `given`: those in parameters.

        `outer`: local variables around it.
        """
        if node in self._seen:
            return
        self._seen.add(node)
        own = Counter(_bound_in(node))
        local = outer | frozenset((*own, *(parameter.arg for parameter in parameters(node))))
        functions = (
            (called - local)
            | (given - set(own))
            | {function.name for function in _functions_in(node) if own[function.name] == 1}
        )
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        for default in filter(None, (*node.args.defaults, *node.args.kw_defaults)):
            if not isinstance(default, _CONSTANT):
                yield f"{source.place(default)} may change: a default is one object"
            yield from self._node(default, source, outer, called)
        for part in body:
            yield from self._node(part, source, local, functions)

    def _node(self, node: ast.AST, source: Source, local: frozenset[str], called: frozenset[str]) -> Iterator[str]:
        if isinstance(node, _WAITING) or (isinstance(node, ast.stmt) and not isinstance(node, _STATEMENTS)):
            yield f"{source.place(node)} does more than compute"
        elif isinstance(node, FUNCTIONS):
            yield from self._function(node, source, called, local)
        elif isinstance(node, ast.Name):
            if node.id not in local and isinstance(node.ctx, ast.Load):
                yield from self._meaning(node.id, node, source)
        elif isinstance(node, ast.Attribute):
            yield from self._attribute(node, source, local, called)
        elif isinstance(node, _COMPREHENSIONS):
            yield from self._node(node.generators[0].iter, source, local, called)
            bound = frozenset(name for generator in node.generators for name in _names_in(generator.target))
            yield from self._parts(node, source, local | bound, called - bound)
        else:
            yield from self._parts(node, source, local, called)

    def _parts(self, node: ast.AST, source: Source, local: frozenset[str], called: frozenset[str]) -> Iterator[str]:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in local - called:
            yield f'{source.place(node)} calls "{node.func.id}", which may be any function'
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            yield f"{source.place(node)} changes an object"
        if isinstance(node, ast.JoinedStr):
            yield from self._texts()
        for name, part in ast.iter_fields(node):
            if name not in ("annotation", "returns"):
                for inner in part if isinstance(part, list) else [part]:
                    if isinstance(inner, ast.AST):
                        yield from self._node(inner, source, local, called)

    def _attribute(
        self, node: ast.Attribute, source: Source, local: frozenset[str], called: frozenset[str]
    ) -> Iterator[str]:
        if not isinstance(node.ctx, ast.Load):
            yield f"{source.place(node)} changes an object"
            return
        name = dotted(node)
        if name and name.partition(".")[0] not in local:
            yield from self._meaning(name, node, source)
            return
        if node.attr.startswith("__"):
            yield f'{source.place(node)} reads "{node.attr}"'
        if place := changed_at(self._code).get(node.attr):
            yield f'{source.place(node)} reads "{node.attr}", which {place} changes'
        yield from self._of_class(node, source)
        yield from self._methods(node.attr)
        for name in _READING:
            yield from self._methods(name)
        yield from self._node(node.value, source, local, called)

    def _meaning(self, name: str, node: ast.expr, source: Source) -> Iterator[str]:
        found = meaning_of(name, source, self._code)
        if found.doubt:
            yield f"{source.place(node)}: {found.doubt}"
        elif found.full_name:
            if not _computes(found.full_name):
                yield f'{source.place(node)} uses "{name}", which may do more than compute'
            elif place := self._changed(found.full_name):
                yield f'{place} may give "{name}" another value'
            elif found.full_name == _AS_TEXT:
                yield from self._texts()
        else:
            yield from self._definition(name, node, source, found)

    def _definition(self, name: str, node: ast.expr, source: Source, found: Meaning) -> Iterator[str]:
        if found.source is None:
            return
        if place := reflection([*name.split("."), *_bound(found.node)], self._code, are_of_module=True):
            yield f'{place} may give "{name}" another value'
        if isinstance(found.node, ast.Assign):
            return
        if isinstance(found.node, ast.FunctionDef):
            yield from self._decorated(found.node, found.source)
        else:
            yield f'{source.place(node)} uses the class "{name}"'

    def _decorated(
        self, function: ast.FunctionDef, source: Source, given: frozenset[str] = frozenset()
    ) -> Iterator[str]:
        for decorator in function.decorator_list:
            if not self._is_harmless(decorator, source):
                yield f'{source.place(decorator)} decorates "{function.name}"'
        yield from self._function(function, source, given=given)

    def _is_harmless(self, decorator: ast.expr, source: Source) -> bool:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        return meaning_of(dotted(called), source, self._code).full_name in _COMPILING | _HARMLESS_DECORATORS

    def _of_class(self, node: ast.Attribute, source: Source) -> Iterator[str]:
        """What a class has for all of its objects, and may be changed in it."""
        for value in self._code.class_attributes.get(node.attr, ()):
            if value is not None and not is_immutable(value):
                yield f'{source.place(node)} reads "{node.attr}", which may change'
            elif place := reflection([node.attr], self._code, are_of_module=False):
                yield f'{place} may give "{node.attr}" another value'

    def _texts(self) -> Iterator[str]:
        for name in _TEXTS:
            yield from self._methods(name)

    def _methods(self, name: str) -> Iterator[str]:
        """Every method of that name may be what is called."""
        for source, function in self._code.methods.get(name, ()):
            yield from self._decorated(function, source)

    def operators(self) -> Iterator[str]:
        """What computing with objects of the project may call."""
        for name in self._code.methods:
            if name.startswith("__") and name not in _NOT_OPERATORS:
                yield from self._methods(name)

    def _changed(self, full_name: str) -> str:
        """Where some code may change what another package defines."""
        name = full_name.rpartition(".")[2]
        return changed_at(self._code).get(name, "") or reflection_on_packages(name, self._code)


def _bound(node: ast.FunctionDef | ast.ClassDef | ast.Assign | None) -> list[str]:
    """The names that a definition binds."""
    if isinstance(node, ast.Assign):
        return [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
    return [node.name] if node is not None else []


@lru_cache(PROJECTS_KEPT)
def _doubt_of_operators(code: Code) -> str:
    return next(Reading(code).operators(), "")


def why_other_static(function: ast.FunctionDef, parameter: str) -> str:
    """Why a compiled function may have static parameters besides one."""
    calls = [decorator for decorator in function.decorator_list if isinstance(decorator, ast.Call)]
    listed = [
        keyword.value for call in calls for keyword in call.keywords if (keyword.arg or "static").startswith("static")
    ]
    given = [other for other in parameters(function) if other.arg != parameter and other.annotation is not None]
    marked = next((other.arg for other in given if other.annotation and "Static" in ast.unparse(other.annotation)), "")
    if marked:
        return f'the static argument "{marked}" of "{function.name}" may change'
    if len(listed) > 1 or not all(map(_is_one, listed)):
        return f'nothing shows that "{parameter}" is the only static argument of "{function.name}"'
    return ""


def _is_one(listed: ast.expr) -> bool:
    """Whether a list of parameters has one item."""
    if isinstance(listed, ast.Tuple | ast.List) and len(listed.elts) == 1:
        return isinstance(listed.elts[0], ast.Constant)
    return isinstance(listed, ast.Constant)


def _computes(full_name: str) -> bool:
    if full_name in _BUILTINS | _TRANSFORMING | _COMPILING:
        return True
    return any(full_name == module or full_name.startswith(f"{module}.") for module in _COMPUTING)


def _bound_in(node: ast.AST) -> Iterator[str]:
    """The names that a function binds in its own scope."""
    for part in ast.iter_child_nodes(node):
        yield from bound_by(part)
        if not isinstance(part, (*FUNCTIONS, *_COMPREHENSIONS)):
            yield from _bound_in(part)


def _functions_in(node: ast.AST) -> Iterator[ast.FunctionDef]:
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.FunctionDef):
            yield part
        if not isinstance(part, FUNCTIONS):
            yield from _functions_in(part)


def _names_in(target: ast.expr) -> Iterator[str]:
    return (name for part in ast.walk(target) for name in bound_by(part))
