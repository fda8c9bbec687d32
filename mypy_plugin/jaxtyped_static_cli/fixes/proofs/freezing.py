"""That no code of a project needs a dataclass to be mutable.

`frozen=True` makes `obj.x = ...`, `del obj.x` and `setattr` raise. Writing to `obj.__dict__` and
`object.__setattr__` work as before.
"""

import ast
from collections.abc import Collection, Iterator
from itertools import chain
from typing import Final

from .code import Code, Parsed, Source, bound_by, last_name
from .owners import family_of, is_declared_other, is_other

_SETTING: Final = frozenset({"setattr", "delattr", "__setattr__", "__delattr__"})
_PATCHING: Final = frozenset({"setattr", "delattr", "object"})  # of `monkeypatch`, and `mock.patch.object`
_PARSING: Final = frozenset({"parse_args", "parse_known_args"})  # with `namespace=obj`
_RUNNING: Final = frozenset({"exec", "eval"})
_HASHABLE: Final = frozenset({"Hashable", "__hash__"})
_ORIGINAL: Final = "__orig_class__"
_STANDARD_BASES: Final = frozenset({"object", "Generic", "Protocol", "ABC"})


def why_not_frozen(cls: ast.ClassDef, fields: Collection[str], code: Code) -> str:
    """What may rely on a dataclass of the standard library being mutable; empty if nothing does."""
    family = family_of(cls.name, code)
    doubts = chain(
        [code.unreadable],
        _of_class(cls, code),
        _of_slots(cls, family, code),
        _of_generic(cls, family, code),
        *(_of_file(cls.name, fields, family, source, parsed, code) for source, parsed in code.readable),
    )
    return next(filter(None, doubts), "")


def _of_class(cls: ast.ClassDef, code: Code) -> Iterator[str]:
    for base in map(last_name, (base.value if isinstance(base, ast.Subscript) else base for base in cls.bases)):
        if base not in _STANDARD_BASES and base not in code.classes:
            yield f'nothing shows whether its base "{base}" is frozen'
    for decorator in cls.decorator_list:
        if isinstance(decorator, ast.Call) and any(one.arg == "slots" for one in decorator.keywords):
            yield "pickles of a class with slots look different if it is frozen"


def _of_slots(cls: ast.ClassDef, family: Collection[str], code: Code) -> Iterator[str]:
    """`copy` and `pickle` set the attributes in hand-written slots by `setattr`."""
    nodes = [cls, *(node for name in family for _, node in code.classes.get(name, ()))]
    if any("__slots__" in bound_by(part) for node in nodes for part in ast.walk(node)):
        yield "copies of a class with slots are made by setattr, which raises if it is frozen"


def _of_generic(cls: ast.ClassDef, family: Collection[str], code: Code) -> Iterator[str]:
    """`Solver[int](0.1)` sets `__orig_class__`, which a frozen class refuses; typing hides that it raises."""
    generic = [one for name in family for _, node in code.classes.get(name, ()) for one in _parameters(node)]
    if not generic and not [*_parameters(cls)]:
        return
    for source, use in code.mentioned(_ORIGINAL):
        yield f'{source.place(use)} mentions {_ORIGINAL}, which no object of a frozen "{cls.name}" has'


def _parameters(cls: ast.ClassDef) -> Iterator[ast.AST]:
    """What may make a class generic."""
    yield from (base for base in cls.bases if isinstance(base, ast.Subscript))
    yield from getattr(cls, "type_params", ())  # since Python 3.12


def _of_file(
    name: str, fields: Collection[str], family: Collection[str], source: Source, parsed: Parsed, code: Code
) -> Iterator[str]:
    """Where a file may set or delete an attribute of the class, or look at whether it can be hashed."""
    for node in parsed.all(ast.Attribute):
        if isinstance(node.ctx, ast.Load) or is_other(node.value, family, parsed, code):
            continue
        if node.attr in fields or not is_declared_other(node.value, family, parsed, code):
            verb = "assigns to" if isinstance(node.ctx, ast.Store) else "deletes"
            yield f'{source.place(node)} {verb} "{node.attr}" of what may be a "{name}"'
    for call in parsed.all(ast.Call):
        if (does := _sets(call)) and not (call.args and is_other(call.args[0], family, parsed, code)):
            yield f'{source.place(call)} {does} what may be a "{name}"'
    for word in _HASHABLE:
        for one in (*parsed.names.get(word, ()), *parsed.attributes.get(word, ())):
            yield f'{source.place(one)} uses {word}, and a frozen "{name}" can be hashed'


def _sets(call: ast.Call) -> str:
    """What a call may do to the attributes of an object; empty if nothing."""
    called, name = call.func, last_name(call.func)
    if isinstance(called, ast.Name) and name in _RUNNING:
        return f"calls {name}, which may change"
    if name in _PARSING and (len(call.args) > 1 or any(one.arg == "namespace" for one in call.keywords)):
        return f"calls {name}, which fills"
    is_plain = isinstance(called, ast.Name) and name in _SETTING
    is_method = isinstance(called, ast.Attribute) and name in _SETTING | _PATCHING
    if not is_plain and not is_method:
        return ""
    if isinstance(called, ast.Attribute) and last_name(called.value) == "object":
        return ""  # `object.__setattr__` works on frozen objects
    return f"uses {name} on"
