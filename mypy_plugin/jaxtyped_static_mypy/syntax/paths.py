"""Names of variables, and of their parts: `args`, and `args.model` of `args.model` or `args["model"]`."""

from collections.abc import Container, Iterable

from mypy.nodes import IndexExpr, MemberExpr, NameExpr, Node, StrExpr

Paths = frozenset[str]


def path_of(node: Node) -> str | None:
    """The path of a variable, or of a part of one; None of anything else."""
    match node:
        case NameExpr(name=variable):
            return variable
        case (
            MemberExpr(expr=NameExpr(name=variable), name=part)
            | IndexExpr(base=NameExpr(name=variable), index=StrExpr(value=part))
        ):
            return part_of(variable, part)
    return None


def part_of(variable: str, part: str) -> str:
    return f"{variable}.{part}"


def split_path(path: str) -> tuple[str, str]:
    """A variable, and the part of it, which is empty for the whole."""
    variable, _, part = path.partition(".")
    return variable, part


def variables_of(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(split_path(path)[0] for path in paths)


def paths_in(paths: Iterable[str], variables: Container[str]) -> Paths:
    """Those of some variables, and of their parts."""
    return frozenset(path for path in paths if split_path(path)[0] in variables)


def paths_without(paths: Iterable[str], variables: Container[str]) -> Paths:
    return frozenset(path for path in paths if split_path(path)[0] not in variables)
