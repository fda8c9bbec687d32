"""What a base in the setting `static_bases` does for its classes, and whether they can do without it.

Such a base makes objects immutable and compares them by value, which static classes do themselves. Whatever else it
does or is used for would be lost.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from .programs import Class, ProjectClasses, dotted

# Bases that say nothing of how objects are made and compared.
BASES: Final = frozenset({"abc.ABC", "typing.Generic", "typing.Protocol", "object"})
_COMPARED: Final = frozenset({"__eq__", "__ne__"})
# What a static class has instead.
_REPLACED: Final = frozenset({*_COMPARED, "__hash__", "__post_init__"})
# What a static class may inherit: it has its own instead, or has no other.
_INHERITED: Final = frozenset(
    {
        *_COMPARED,
        "__hash__",
        "__init_subclass__",
        "__class_getitem__",
        "__repr__",
        "__str__",
        "__call__",
        "__match_args__",
    }
)
_DATACLASS: Final = "dataclasses.dataclass"
_CLASS_VARIABLE: Final = re.compile(r"(\w+\.)?ClassVar\b")
_TEXT: Final = re.compile(r"[\w.\[\]| ,]*")  # what may be an annotation
# Types that may be of any class.
ANYTHING: Final = frozenset({"Any", "Callable", "Hashable", "TypeVar", "object"})
_CHANGING: Final = frozenset({"setattr", "__setattr__", "delattr", "exec", "eval"})


def fields_of(node: ast.ClassDef) -> list[tuple[str, ast.expr]]:
    """The fields that a dataclass declares, with their types."""
    return [
        (line.target.id, line.annotation)
        for line in node.body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and not _is_class_variable(line)
    ]


def _is_class_variable(line: ast.AnnAssign) -> bool:
    return bool(_CLASS_VARIABLE.match(ast.unparse(line.annotation).strip("'\"")))


def members_of(node: ast.ClassDef) -> dict[str, ast.stmt]:
    """The methods and attributes that a class defines."""
    found: dict[str, ast.stmt] = {}
    for line in node.body:
        if isinstance(line, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[line.name] = line
        targets = (
            line.targets if isinstance(line, ast.Assign) else [line.target] if isinstance(line, ast.AnnAssign) else []
        )
        found |= {name: line for target in targets if (name := dotted(target))}
    return found


def need_of(base: Class, program: ProjectClasses) -> str:
    """Why classes need a base; empty if they can do without it."""
    members = members_of(base.node)
    if base.bases not in ((), ("object",)) or base.node.keywords:
        return "has bases of its own"
    if fields := fields_of(base.node):
        return f"has the field {fields[0][0]}"
    if other := [name for name in members if _is_special(name) and name not in _REPLACED]:
        return f"defines {other[0]}"
    check = members.get("__post_init__")
    if check is not None and not _only_checks(check):
        return "does more in __post_init__ than to check"
    inside = {id(node) for node in ast.walk(base.node)}
    own = {name for name in members if name not in _REPLACED}
    last = base.key.name.rpartition(".")[2]
    for path, tree in program.trees:
        for name, line in _used(tree, {*own, last}, inside):
            return f"is used as {name} in {path.name}:{line}"
    return ""


def hindrance_of(base: Class, program: ProjectClasses) -> str:
    """Why static classes cannot derive from a base; empty if they can.

    They compare and hash by identity, and a base that computes a hash for itself finds another.
    """
    if not set(base.bases) <= BASES or base.node.keywords:
        return "has bases of its own"
    if other := [name for name in members_of(base.node) if _is_special(name) and name not in _INHERITED]:
        return f"defines {other[0]}"
    for node in base.node.decorator_list:
        options = {keyword.arg: keyword.value for keyword in node.keywords} if isinstance(node, ast.Call) else {}
        declared = program.full_name(node.func if isinstance(node, ast.Call) else node, base.key.path)
        frozen = options.get("frozen")
        if declared != _DATACLASS or not (isinstance(frozen, ast.Constant) and frozen.value is True):
            return "is no frozen dataclass"
    return ""


def tells_apart(base: Class) -> bool:
    """Whether a base checks if other values derive from it, other than to compare them."""
    last = base.key.name.rpartition(".")[2]
    members = members_of(base.node)
    return any(
        last in (getattr(node, "id", ""), getattr(node, "attr", ""))
        for name, member in members.items()
        if name not in _COMPARED
        for node in ast.walk(member)
    )


def words_of_fields(node: ast.ClassDef, bound: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The words of the types of a class's fields, and of what those are bound to."""
    pending = [word for _, annotation in fields_of(node) for word in _words(annotation)]
    found: set[str] = set()
    while pending:
        if (word := pending.pop()) not in found:
            found.add(word)
            pending += bound.get(word, ())
    return frozenset(found)


def bound_words(program: ProjectClasses) -> Mapping[str, frozenset[str]]:
    """By the names that modules bind or import under another name, the words of what they bind them to."""
    found: dict[str, frozenset[str]] = {}
    for _, tree in program.trees:
        for line in ast.walk(tree):
            if isinstance(line, (ast.Assign, ast.AnnAssign)) and line.value is not None and line in tree.body:
                for target in line.targets if isinstance(line, ast.Assign) else [line.target]:
                    found[dotted(target)] = found.get(dotted(target), frozenset()) | set(_words(line.value))
            for alias in line.names if isinstance(line, ast.ImportFrom) else ():
                if alias.asname:
                    found[alias.asname] = found.get(alias.asname, frozenset()) | {alias.name}
    return found


def called_on_super(node: ast.ClassDef) -> set[str]:
    """The methods that a class calls as `super().method`."""
    return {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Call) and dotted(part.value.func) == "super"
    }


def _words(node: ast.expr) -> list[str]:
    return re.findall(r"\w+", ast.unparse(node))


def _only_checks(function: ast.stmt) -> bool:
    """Whether a method leaves everything as it is: it assigns to local names only, and uses what its calls return."""
    for node in ast.walk(function):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.Await, ast.Yield)):
            return False
        if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in _CHANGING:
            return False
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and dotted(node.value.func) != "hash":
            return False
    return True


def _used(tree: ast.Module, names: Collection[str], inside: Collection[int]) -> Iterator[tuple[str, int]]:
    """Where names are used, other than in imports, in lists of bases and inside of a class."""
    listed = {
        id(part)
        for node in ast.walk(tree)
        for base in (node.bases if isinstance(node, ast.ClassDef) else [])
        for part in ast.walk(base)
    }
    exported = {
        id(part)
        for line in tree.body
        if isinstance(line, ast.Assign) and any(dotted(target) == "__all__" for target in line.targets)
        for part in ast.walk(line)
    }
    for node in ast.walk(tree):
        if id(node) in inside or id(node) in listed or id(node) in exported:
            continue
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if name in names:
                yield name, node.lineno
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _TEXT.fullmatch(node.value):
            found = set(names).intersection(re.findall(r"\w+", node.value))
            yield from ((name, node.lineno) for name in found)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
