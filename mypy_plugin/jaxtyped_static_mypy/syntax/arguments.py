"""Maps the arguments of a call to parameters, by syntax alone."""

from collections.abc import Callable, Iterable, Iterator

from mypy.nodes import ARG_STAR, ARG_STAR2, ArgKind, CallExpr, DictExpr, Expression, NameExpr, StrExpr


def argument(call: CallExpr, index: int, name: str) -> Expression | None:
    """Finds the argument for one parameter; None if there is none, or if unpacked arguments may hide it.

    `index`: among those of the call, so that it is negative for the object of a method.
    """
    if (value := keyword_argument(call, name)) is not None:
        return value
    if not 0 <= index < len(call.args) or any(kind.is_star() for kind in call.arg_kinds[: index + 1]):
        return None
    return call.args[index] if call.arg_names[index] is None else None


def keyword_argument(call: CallExpr, *names: str) -> Expression | None:
    """The argument that is given by one of these names; None if there is none."""
    return next((value for value, name in zip(call.args, call.arg_names, strict=True) if name in names), None)


def named_arguments(call: CallExpr, parameters: Iterable[str | None]) -> dict[str, Expression]:
    """Maps parameter names to arguments. Leaves out positional arguments after `*args`, and `**options`."""
    names = iter(parameters)
    found: dict[str, Expression] = {}
    for value, kind, name in zip(call.args, call.arg_kinds, call.arg_names, strict=True):
        if kind is ArgKind.ARG_STAR:
            names = iter(())
        key = name if kind is ArgKind.ARG_NAMED else next(names, None) if kind is ArgKind.ARG_POS else None
        if key is not None:
            found[key] = value
    return found


def arguments_of(call: CallExpr, follow: Callable[[Expression], Expression]) -> Iterator[tuple[int | str, Expression]]:
    """The arguments of a call by position or name, also those that it unpacks of a dict which the source writes out.

    None behind `*args`. `follow`: what makes the value of a name.
    """
    for index, (value, kind, name) in enumerate(zip(call.args, call.arg_kinds, call.arg_names, strict=True)):
        if kind is ArgKind.ARG_STAR:
            return
        if kind is ArgKind.ARG_STAR2:
            yield from _items(follow(value))
        else:
            yield name if name is not None else index, value


def _items(table: Expression) -> Iterator[tuple[str, Expression]]:
    """The items of a dict that is written out, by their names: `{"rate": 1}`, `dict(rate=1)`."""
    if isinstance(table, DictExpr):
        yield from ((key.value, value) for key, value in table.items if isinstance(key, StrExpr))
    elif isinstance(table, CallExpr) and isinstance(table.callee, NameExpr) and table.callee.name == "dict":
        yield from ((name, value) for name, value in zip(table.arg_names, table.args, strict=True) if name is not None)


def positional(call: CallExpr) -> list[Expression]:
    """The positional arguments, those that are unpacked among them."""
    return [value for value, name in zip(call.args, call.arg_names, strict=True) if name is None]


def unpacks(call: CallExpr) -> bool:
    """Whether a call unpacks `*args` or `**options`, which may fill any parameter."""
    return ARG_STAR in call.arg_kinds or ARG_STAR2 in call.arg_kinds
