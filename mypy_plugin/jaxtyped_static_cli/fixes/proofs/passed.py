"""What is passed for a parameter, as far as a call shows it."""

import ast
from collections.abc import Callable
from typing import Final

from .bindings import meaning_of
from .calls import why_not_every_call
from .code import FUNCTIONS, Code, Function, Parsed, Source, dotted, last_name, parameters
from .owners import declaration_of
from .uses import Parameter, is_local

Fits = Callable[[ast.expr, Source, Parsed], bool]

# Functions that return arrays. Others return shapes, numbers and types, which can be hashed.
_ARRAYS: Final = frozenset(
    f"jax.numpy.{name}"
    for name in (
        "arange", "array", "asarray", "concatenate", "empty", "empty_like", "eye", "full", "full_like", "hstack",
        "identity", "linspace", "logspace", "ones", "ones_like", "stack", "tile", "vstack", "zeros", "zeros_like",
        "abs", "cos", "dot", "exp", "log", "matmul", "max", "maximum", "mean", "min", "minimum", "prod", "reshape",
        "sin", "sqrt", "square", "std", "sum", "tanh", "transpose", "var", "where",
    )
) | frozenset(
    f"jax.random.{name}"
    for name in (
        "PRNGKey", "bernoulli", "categorical", "choice", "exponential", "fold_in", "gamma", "gumbel", "key", "laplace",
        "normal", "permutation", "poisson", "randint", "split", "truncated_normal", "uniform",
    )
)  # fmt: skip
# Decorators that return the class that they get.
_KEEPING: Final = frozenset(
    {
        "dataclasses.dataclass", "jax.tree_util.register_dataclass", "jaxtyped_static.dynamic_dataclass",
        "jaxtyped_static.static_dataclass", "typing.final",
    }
)  # fmt: skip
_PLAIN_DECORATORS: Final = ("builtins.", "functools.", "jax.", "jaxtyped_static.", "typing.")


class _Chain:
    """Follows parameters to the calls of their functions: what these are declared as may not be what they get."""

    def __init__(self, code: Code, fits: Fits) -> None:
        self._code, self._fits = code, fits
        self._seen: set[tuple[ast.AST, str]] = set()

    def fits(self, node: ast.Name, source: Source, parsed: Parsed) -> bool:
        """Whether each call of the function around a name passes what fits for it."""
        functions = (outer for outer in parsed.around(node) if isinstance(outer, FUNCTIONS))
        function = next((around for around in functions if any(arg.arg == node.id for arg in parameters(around))), None)
        if function is None or (function, node.id) in self._seen:
            return function is not None
        self._seen.add((function, node.id))
        found = self._parameter(function, node.id, source, parsed)
        default = _default(function, node.id)
        if found is None or (default is not None and not self._fits(default, source, parsed)):
            return False
        return not why_not_every_call(found, self._fits, self._code)

    def _parameter(self, function: Function, name: str, source: Source, parsed: Parsed) -> Parameter | None:
        """None for a function that something else may call."""
        above = parsed.parent(function)
        if not isinstance(function, ast.FunctionDef) or not isinstance(above, ast.Module | ast.ClassDef):
            return None
        if function.name.startswith("__") or not all(
            self._is_plain(decorator, source) for decorator in function.decorator_list
        ):
            return None
        taken = [
            parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        ]
        if name not in taken:
            return None
        owner = above.name if isinstance(above, ast.ClassDef) else ""
        return Parameter(function.name, name, taken.index(name), source, owner)

    def _is_plain(self, decorator: ast.expr, source: Source) -> bool:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        return meaning_of(dotted(called), source, self._code).full_name.startswith(_PLAIN_DECORATORS)


def _default(function: Function, name: str) -> ast.expr | None:
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs = zip(reversed(positional), reversed(given.defaults), strict=False)
    found: dict[str, ast.expr] = {arg.arg: value for arg, value in pairs}
    found |= {arg.arg: value for arg, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value}
    return found.get(name)


def is_untraceable_as(annotation: str, code: Code) -> Fits:
    """Text, functions, and what is declared by the same annotation, which the checker knows that JAX cannot trace."""
    cls = annotation.partition("[")[0].rpartition(".")[2]

    def fits(node: ast.expr, source: Source, parsed: Parsed) -> bool:
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str | bytes)
        if isinstance(node, ast.JoinedStr | ast.Lambda):
            return True
        if isinstance(node, ast.Call):
            return last_name(node) == cls and cls in code.classes
        if not isinstance(node, ast.Name):
            return False
        declared = declaration_of(node, parsed)
        if declared is not None:
            return ast.unparse(declared) == annotation and chain.fits(node, source, parsed)
        value = _only_value(node, parsed)
        if value is not None:
            return fits(value, source, parsed)
        return not is_local(node, parsed) and _is_definition(node, source, code)

    chain = _Chain(code, fits)
    return fits


def _is_definition(node: ast.Name, source: Source, code: Code) -> bool:
    found = meaning_of(node.id, source, code)
    if not isinstance(found.node, ast.FunctionDef | ast.ClassDef) or found.source is None:
        return False
    decorators = [
        decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in found.node.decorator_list
    ]
    return all(meaning_of(dotted(decorator), found.source, code).full_name in _KEEPING for decorator in decorators)


def is_array(annotation: str, code: Code) -> Fits:
    """What `jax.numpy` returns, and what is declared as an array; the annotation of the parameter does not matter."""

    def fits(node: ast.expr, source: Source, parsed: Parsed) -> bool:
        return _is_array(node, fits, chain, source, parsed, code)

    chain = _Chain(code, fits)
    return fits


def is_array_or_none(annotation: str, code: Code) -> Fits:
    """What `is_array` accepts, and `None` as it is written."""

    def fits(node: ast.expr, source: Source, parsed: Parsed) -> bool:
        is_none = isinstance(node, ast.Constant) and node.value is None
        return is_none or _is_array(node, fits, chain, source, parsed, code)

    chain = _Chain(code, fits)
    return fits


def is_array_or_number(annotation: str, code: Code) -> Fits:
    """What `is_array` accepts, and numbers as they are written."""

    def fits(node: ast.expr, source: Source, parsed: Parsed) -> bool:
        is_number = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
        return is_number or _is_array(node, fits, chain, source, parsed, code)

    chain = _Chain(code, fits)
    return fits


def _is_array(node: ast.expr, fits: Fits, chain: _Chain, source: Source, parsed: Parsed, code: Code) -> bool:
    if isinstance(node, ast.Call):
        return meaning_of(dotted(node.func), source, code).full_name in _ARRAYS
    declared = declaration_of(node, parsed) if isinstance(node, ast.Name) else None
    if declared is not None and isinstance(node, ast.Name):
        return last_name(declared) == "Array" and chain.fits(node, source, parsed)
    value = _only_value(node, parsed) if isinstance(node, ast.Name) else None
    return value is not None and fits(value, source, parsed)


def _only_value(node: ast.Name, parsed: Parsed) -> ast.expr | None:
    """What is assigned to a variable, if the file assigns to that name once."""
    bound = parsed.binders.get(node.id, [])
    made = parsed.parent(bound[0]) if len(bound) == 1 and node.id not in parsed.parameters else None
    return made.value if isinstance(made, ast.Assign) and bound[0] in made.targets else None
