"""The classes of a program, as far as their objects are trees of arrays."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from jaxtyped_static_mypy.knowledge.full_names import NAMED_TUPLE
from jaxtyped_static_mypy.libraries import PYTREE_BASES, PYTREE_DECORATORS, STATIC_FIELD_OPTIONS, STATIC_SPECIFIERS

from .scopes import Running, Scope
from .values import ClassValue, Compiled, Library, Partial, Value

# By what they are called in all libraries.
_DATACLASS: Final = "dataclass"
_FLATTENS: Final = "register_pytree"  # with functions of its own: nobody sees which leaves these return
_STATIC: Final = frozenset(name for name, is_on in STATIC_FIELD_OPTIONS if is_on)
_NOT_TREE: Final = frozenset(name for name, is_on in STATIC_FIELD_OPTIONS if not is_on)
_CONVERTER: Final = "converter"
_CLASS_VARIABLE: Final = "ClassVar"
_EMPTY_BASES: Final = ("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol")
_FACTORIES: Final = ("default_factory", "factory")


class Field(NamedTuple):
    name: str
    annotation: ast.expr
    default: ast.expr | None
    is_factory: bool
    is_static: bool
    is_converted: bool
    is_given: bool  # by the constructor


@dataclass(eq=False)
class Class:
    """A class of the program."""

    node: ast.ClassDef
    module: str
    scope: Scope
    bases: "tuple[Class, ...]" = ()
    libraries: tuple[str, ...] = ()  # its bases that are no classes of the program
    decorators: tuple[str, ...] = ()
    registered: frozenset[str] | None = None  # the fields that are no leaves, if a call registers it
    made: dict[str, Value] = field(default_factory=dict)  # methods, as their decorators leave them

    @property
    def name(self) -> str:
        return self.node.name

    @cached_property
    def lineage(self) -> "tuple[Class, ...]":
        above = (cls for base in self.bases for cls in base.lineage)
        return tuple(dict.fromkeys((self, *above)))

    @cached_property
    def is_tuple(self) -> bool:
        return any(NAMED_TUPLE in cls.libraries for cls in self.lineage)

    @cached_property
    def is_tree(self) -> bool:
        """Whether its objects are trees whose leaves are their fields."""
        if any(_FLATTENS in name for name in self.decorators):
            return False
        bases = {name for cls in self.lineage for name in cls.libraries}
        is_declared = not PYTREE_DECORATORS.isdisjoint(self.decorators) or self.registered is not None
        return self.is_tuple or is_declared or not PYTREE_BASES.isdisjoint(bases)

    @cached_property
    def has_fields(self) -> bool:
        """Whether its constructor takes its fields, unless it has one of its own."""
        declared = (name for cls in self.lineage for name in cls.decorators)
        return self.is_tree or any(_DATACLASS in name.rpartition(".")[2] for name in declared)

    @cached_property
    def is_seen(self) -> bool:
        """Whether all its bases are known."""
        known = (NAMED_TUPLE, *PYTREE_BASES, *_EMPTY_BASES)
        return all(name in known for cls in self.lineage for name in cls.libraries)

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        found: dict[str, Field] = {}
        for cls in reversed(self.lineage):
            found |= {one.name: one for one in cls.own_fields()}
        return found

    @cached_property
    def leaf_fields(self) -> tuple[str, ...]:
        static = self.registered or frozenset()
        return tuple(one.name for one in self.fields.values() if not one.is_static and one.name not in static)

    def own_fields(self) -> Iterator[Field]:
        declared = (node for node in self.node.body if isinstance(node, ast.AnnAssign))
        for node in declared:
            if isinstance(node.target, ast.Name) and _CLASS_VARIABLE not in ast.unparse(node.annotation):
                yield _field(node.target.id, node.annotation, node.value)

    def method(self, name: str) -> "tuple[Class, ast.FunctionDef | ast.expr] | None":
        """A method, or what the class assigns to a name, of the first class that has it."""
        return self._methods.get(name)

    @cached_property
    def _methods(self) -> "Mapping[str, tuple[Class, ast.FunctionDef | ast.expr]]":
        found: dict[str, tuple[Class, ast.FunctionDef | ast.expr]] = {}
        for cls in reversed(self.lineage):
            for node in cls.node.body:
                if isinstance(node, ast.FunctionDef):
                    found[node.name] = cls, node
                elif isinstance(node, ast.Assign):
                    names = (target.id for target in node.targets if isinstance(target, ast.Name))
                    found |= {name: (cls, node.value) for name in names if name not in self.fields}
        return found

    @cached_property
    def assigned_later(self) -> frozenset[str]:
        """The attributes that methods assign which no constructor is."""
        methods = [node for cls in self.lineage for node in cls.node.body if isinstance(node, ast.FunctionDef)]
        later = (node for node in methods if node.name not in ("__init__", "__post_init__"))
        parts = (part for node in later for part in ast.walk(node))
        stored = (part for part in parts if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store))
        return frozenset(part.attr for part in stored)


def _field(name: str, annotation: ast.expr, value: ast.expr | None) -> Field:
    call = value if isinstance(value, ast.Call) and "field" in ast.unparse(value.func) else None
    options = {word.arg: word.value for word in call.keywords if word.arg} if call is not None else {}
    flags = {key: node.value for key, node in options.items() if isinstance(node, ast.Constant)}
    is_static = any(flags.get(key) is True for key in _STATIC) or any(flags.get(key) is False for key in _NOT_TREE)
    is_static = is_static or (call is not None and ast.unparse(call.func).rpartition(".")[2] in _LAST_SPECIFIERS)
    is_static = (
        is_static
        or "Static[" in ast.unparse(annotation)
        or "static" in ast.unparse(options.get("metadata", annotation))
    )
    factory = next((options[key] for key in _FACTORIES if key in options), None)
    default = factory or options.get("default") if call is not None else value
    is_given = flags.get("init") is not False
    return Field(name, annotation, default, factory is not None, is_static, _CONVERTER in options, is_given)


_LAST_SPECIFIERS: Final = frozenset(name.rpartition(".")[2] for name in STATIC_SPECIFIERS)


def class_of(node: ast.ClassDef, scope: Scope, running: Running) -> Class:
    """What a class statement makes."""
    cls = Class(node, scope.module, scope)
    bases = [running.value(_without_items(base), scope) for base in node.bases]
    cls.bases = tuple(base.cls for base in bases if isinstance(base, ClassValue))
    pairs = zip(bases, node.bases, strict=True)
    cls.libraries = tuple(
        _name(base) or ast.unparse(written) for base, written in pairs if not isinstance(base, ClassValue)
    )
    cls.decorators = tuple(_name(running.value(decorator, scope)) for decorator in node.decorator_list)
    return cls


def _without_items(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Subscript) else node


def _name(value: Value) -> str:
    """The name of what a library defines, perhaps with some arguments."""
    while isinstance(value, Partial | Compiled):
        value = value.function
    return value.name if isinstance(value, Library) else ""
