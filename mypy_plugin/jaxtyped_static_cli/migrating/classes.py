"""Classes on request: pytree dataclasses with static fields become dynamic classes, frozen dataclasses static ones."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import libcst as cst
import libcst.matchers as m

from ..editing.documents import Document
from ..editing.edits import Edit, New
from ..editing.imports import Import
from ..editing.names import Names
from .hierarchies import OWN, Chosen, Derived, Hierarchies
from .programs import ClassKey
from .reasons import Left, Refused
from .spelling import OURS, spelling_of
from .static_bases import BASES

DYNAMIC: Final = "dynamic_dataclass"
_STATIC_CLASS: Final = "static_dataclass"
_DATACLASS: Final = "dataclasses.dataclass"
_REGISTER: Final = frozenset({"jax.tree_util.register_dataclass"})
# Decorators whose classes are frozen pytrees, as a dynamic class is.
_PYTREES: Final = frozenset({"flax.struct.dataclass", "jax_dataclasses.pytree_dataclass"})
_STATIC: Final = frozenset({"jax_dataclasses.Static"})
_FIELDS: Final = frozenset({"dataclasses.field", "flax.struct.field"})
_STATIC_FIELDS: Final = frozenset({"jax_dataclasses.static_field"})
_TAKEN: Final = {
    DYNAMIC: frozenset({"kw_only", "repr", "eq"}),
    _STATIC_CLASS: frozenset({"kw_only", "repr", "slots"}),
}
_CACHES: Final = m.Name("cached_property") | m.Attribute(attr=m.Name("cached_property"))


class Requested(NamedTuple):
    """What the user asked for, and what the rest of the program does with classes."""

    fields: bool = False  # pytree dataclasses with static fields
    hierarchies: Hierarchies | None = None  # of the frozen dataclasses that were named
    static: Chosen = Chosen()
    bases: frozenset[str] = frozenset()  # the last names of all bases in the program
    replaced: frozenset[str] = frozenset()  # names of fields that `.replace(...)` passes
    is_mutated: bool = False  # jax_dataclasses makes copies that can be changed

    @property
    def anything(self) -> bool:
        return self.fields or self.hierarchies is not None

    def without(self, left: Mapping[ClassKey, tuple[str, str]]) -> "Requested":
        """What is left of it without some of the classes that would become static."""
        if self.hierarchies is None or not left:
            return self
        return self._replace(static=self.hierarchies.chosen({**self.static.left, **left}))


class MigratedClass(NamedTuple):
    name: str
    line: int
    becomes: str
    static: tuple[str, ...]
    edit: Edit


def requested(
    paths: Collection[Path], *, fields: bool, static: Collection[str], static_bases: Collection[str] = ()
) -> Requested:
    """Reads what the program does with classes, if any are to be changed.

    `static`: the names of frozen dataclasses, or of static bases, which stand for all classes below them.
    """
    if not fields and not static:
        return Requested()
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths]
    listed = [bases for text in texts for bases in re.findall(r"^[ \t]*class\s+\w+\s*\(([^)]*)\)", text, re.MULTILINE)]
    bases = {name for text in listed for name in re.findall(r"\w+", text)}
    calls = [call for text in texts for call in re.findall(r"\.replace\(\s*(\w+\s*=[^=](?:[^()]|\([^()]*\))*)\)", text)]
    replaced = {name for call in calls for name in re.findall(r"(\w+)\s*=(?!=)", call)}
    is_mutated = any("copy_and_mutate" in text for text in texts)
    hierarchies = Hierarchies(paths, static, static_bases) if static else None
    chosen = hierarchies.chosen({}) if hierarchies is not None else Chosen()
    return Requested(fields, hierarchies, chosen, frozenset(bases), frozenset(replaced), is_mutated)


def plan_classes(
    document: Document, path: Path, names: Names, wanted: Requested, without: Collection[str]
) -> tuple[list[MigratedClass], list[Left]]:
    """`without`: the names of classes that are left as they are, for a reason that the caller gives."""
    migrated: list[MigratedClass] = []
    left: list[Left] = []
    for cls in document.all(cst.ClassDef):
        name = names.qualified(cls)
        try:
            found = _migrated(cls, ClassKey(path, name), names, wanted) if name not in without else None
            migrated += [found] if found is not None else []
        except Refused as refused:
            left.append(Left(document.line(cls), name, refused.reason, refused.about))
    return migrated, left


def _migrated(cls: cst.ClassDef, key: ClassKey, names: Names, wanted: Requested) -> MigratedClass | None:
    if key in wanted.static.left:
        raise Refused(*wanted.static.left[key])
    if (derived := wanted.static.classes.get(key)) is not None:
        return _static(cls, derived, names)
    return _dynamic(cls, names, wanted) if wanted.fields else None


def _dynamic(cls: cst.ClassDef, names: Names, wanted: Requested) -> MigratedClass | None:
    fields = list(_fields(cls, names))
    static = tuple(field.name for field in fields if field.is_static)
    if not static:
        return None
    changed = _decorators(cls, names, DYNAMIC)
    _check_own(cls)
    _check_dynamic(cls, names, wanted, [field.name for field in fields])
    edits, imports = _redecorated(changed, DYNAMIC, names)
    marker = spelling_of(OURS, "Static", names)
    edits |= {field.node: _marked(field, marker.text) for field in fields if field.is_static}
    edit = Edit(edits, imports=(*imports, marker.needed))
    return MigratedClass(names.qualified(cls), names.line(cls), DYNAMIC, static, edit)


def _static(cls: cst.ClassDef, derived: Derived, names: Names) -> MigratedClass | None:
    edits = _without_bases(cls, derived.dropped)
    imports: tuple[Import, ...] = ()
    if derived.is_decorated:
        changed = _decorators(cls, names, _STATIC_CLASS, is_compared=derived.is_compared)
        _check_own(cls)
        decorators, imports = _redecorated(changed, _STATIC_CLASS, names)
        edits |= decorators
    if not edits:
        return None
    return MigratedClass(names.qualified(cls), names.line(cls), _STATIC_CLASS, (), Edit(edits, imports=imports))


def _redecorated(
    changed: Mapping[cst.Decorator, list[cst.Arg] | None], becomes: str, names: Names
) -> tuple[dict[cst.CSTNode, New], tuple[Import, ...]]:
    decorator = spelling_of(OURS, becomes, names)
    edits: dict[cst.CSTNode, New] = {
        node: _decorator(node, kept, decorator.text) if kept is not None else cst.RemoveFromParent()
        for node, kept in changed.items()
    }
    return edits, (decorator.needed,)


def _without_bases(cls: cst.ClassDef, dropped: Collection[int]) -> dict[cst.CSTNode, New]:
    """The edits that remove bases, with the parentheses if none is left."""
    if not dropped:
        return {}
    gone: dict[cst.CSTNode, New] = {cls.bases[number]: cst.RemoveFromParent() for number in dropped}
    kept = [base for base in cls.bases if base not in gone]
    if not kept:
        return gone | {node: cst.RemoveFromParent() for node in (cls.lpar, cls.rpar) if isinstance(node, cst.CSTNode)}
    last = cls.bases[-1]
    if last in gone:
        gone[kept[-1]] = kept[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
    return gone


class _Field(NamedTuple):
    node: cst.AnnAssign
    name: str
    is_static: bool
    type: cst.BaseExpression  # without a marker
    value: cst.BaseExpression | None  # without what says that it is static


def _fields(cls: cst.ClassDef, names: Names) -> Iterator[_Field]:
    for line in cls.body.body:
        for node in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(node, cst.AnnAssign) and isinstance(node.target, cst.Name):
                yield _field(node, node.target.value, names)


def _field(node: cst.AnnAssign, name: str, names: Names) -> _Field:
    typ, value = node.annotation.annotation, node.value
    if isinstance(typ, cst.Subscript) and names.full_name(typ.value) in _STATIC and len(typ.slice) == 1:
        inner = typ.slice[0].slice
        return _Field(node, name, True, inner.value if isinstance(inner, cst.Index) else typ, value)
    if not isinstance(value, cst.Call) or any(arg.keyword is None for arg in value.args):
        return _Field(node, name, False, typ, value)
    called = names.full_name(value.func)
    kept = [arg for arg in value.args if not _says_static(arg)]
    is_static = called in _STATIC_FIELDS or (called in _FIELDS and len(kept) < len(value.args))
    return _Field(node, name, is_static, typ, _value(value, kept, called or "") if is_static else value)


def _says_static(argument: cst.Arg) -> bool:
    """Whether an argument of a field function says that the field is static, and nothing else."""
    name = argument.keyword.value if argument.keyword is not None else ""
    false, true = m.Name("False"), m.Name("True")
    if name == "pytree_node":
        return m.matches(argument.value, false)
    literal = m.Dict([m.DictElement(m.SimpleString('"static"') | m.SimpleString("'static'"), true)])
    call = m.Call(func=m.Name("dict"), args=[m.Arg(true, keyword=m.Name("static"))])
    return name == "metadata" and m.matches(argument.value, literal | call)


def _value(value: cst.Call, kept: Sequence[cst.Arg], called: str) -> cst.BaseExpression | None:
    if not kept:
        return None
    if len(kept) == 1 and kept[0].keyword is not None and kept[0].keyword.value == "default":
        return kept[0].value
    if called != "dataclasses.field":
        raise Refused("field", called)
    last = kept[-1].with_changes(comma=value.args[-1].comma, whitespace_after_arg=value.args[-1].whitespace_after_arg)
    return value.with_changes(args=[*kept[:-1], last])


def _marked(field: _Field, marker: str) -> cst.AnnAssign:
    marked = cst.Subscript(cst.parse_expression(marker), [cst.SubscriptElement(cst.Index(field.type))])
    equal = field.node.equal if field.value is not None else cst.MaybeSentinel.DEFAULT
    annotation = field.node.annotation.with_changes(annotation=marked)
    return field.node.with_changes(annotation=annotation, value=field.value, equal=equal)


def _decorators(
    cls: cst.ClassDef, names: Names, becomes: str, *, is_compared: bool = False
) -> dict[cst.Decorator, list[cst.Arg] | None]:
    """The decorators to replace, with the options to keep, and those to remove.

    Raises:
        Refused: the class is not declared in a way that is the same.
    """
    found: dict[str, cst.Decorator] = {}
    for node in cls.decorators:
        full_name = names.full_name(node.decorator.func if isinstance(node.decorator, cst.Call) else node.decorator)
        if full_name in _PYTREES | _REGISTER | {_DATACLASS}:
            found[full_name or ""] = node
        else:
            raise Refused("class-decorated", cst.Module([]).code_for_node(node.decorator))
    pytrees = found.keys() & _PYTREES
    expected = {_DATACLASS} if becomes == _STATIC_CLASS else pytrees or {_DATACLASS, *_REGISTER}
    if found.keys() != expected or len(pytrees) > 1:
        raise Refused("undeclared", becomes)
    declaring = next(name for name in found if name not in _REGISTER)
    kept = _options(found[declaring], becomes, needs_frozen=declaring == _DATACLASS, is_compared=is_compared)
    return {node: kept if name == declaring else None for name, node in found.items()}


def _options(node: cst.Decorator, becomes: str, *, needs_frozen: bool, is_compared: bool) -> list[cst.Arg]:
    options = {arg.keyword.value if arg.keyword else "": arg for arg in getattr(node.decorator, "args", ())}
    frozen = options.pop("frozen", None)
    if (needs_frozen and frozen is None) or (frozen is not None and not m.matches(frozen.value, m.Name("True"))):
        raise Refused("unfrozen")
    if is_compared:
        options.pop("eq", None)
    if unknown := options.keys() - _TAKEN[becomes]:
        raise Refused("class-option", min(unknown))
    return list(options.values())


def _decorator(node: cst.Decorator, options: Sequence[cst.Arg], text: str) -> cst.Decorator:
    written = cst.parse_expression(text)
    bare = [option.with_changes(comma=cst.MaybeSentinel.DEFAULT) for option in options]
    return node.with_changes(decorator=cst.Call(written, bare) if bare else written)


def _check_own(cls: cst.ClassDef) -> None:
    """Checks how the class itself says that its objects are made and compared.

    Raises:
        Refused: they would be in another way.
    """
    if cls.keywords:
        raise Refused("base", "a metaclass")
    methods = {node.name.value for node in cls.body.body if isinstance(node, cst.FunctionDef)}
    if own := methods & OWN:
        raise Refused("own", min(own))


def _check_dynamic(cls: cst.ClassDef, names: Names, wanted: Requested, fields: list[str]) -> None:
    """Checks the bases and subclasses, and how objects are changed: caches are lost under JAX.

    Raises:
        Refused: they would be in another way.
    """
    for base in cls.bases:
        head = base.value.value if isinstance(base.value, cst.Subscript) else base.value
        if names.full_name(head) not in BASES:
            raise Refused("base", cst.Module([]).code_for_node(base.value))
    if m.findall(cls.body, m.Decorator(_CACHES)):
        raise Refused("own", "a cached property")
    if cls.name.value in wanted.bases:
        raise Refused("subclassed")
    if used := wanted.replaced & set(fields):
        raise Refused("replace", min(used))
    if wanted.is_mutated:
        raise Refused("mutated")
