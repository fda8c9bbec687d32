"""That no code of a project needs a dataclass to be mutable.

`frozen=True` makes `obj.x = ...`, `del obj.x` and `setattr` raise. Writing to `obj.__dict__` and
`object.__setattr__` work as before.
"""

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from ...files.python_names import bound_by
from .code import PROJECTS_KEPT, Code, Parsed, Source, last_name
from .deriving import why_may_derive
from .owners import family_of, is_declared_other, is_other, owner_of_self
from .setting import setters
from .writing import writes

_LOOKING: Final = frozenset({"Hashable", "__hash__", "__dataclass_params__"})
_PICKLING: Final = frozenset({"__getstate__", "__reduce__", "__reduce_ex__"})
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
        why_may_derive(cls, code),
        _of_writes(cls.name, fields, family, code),
        (f'{place} uses {word}, and a frozen "{cls.name}" can be hashed' for place, word in _looked_at(code)),
        *(
            _of_hash(cls.name, family, source, parsed, code)
            for source, parsed in code.readable
            if not _is_hashable(cls)
        ),
    )
    return next(filter(None, doubts), "")


def assigns_to_itself(cls: ast.ClassDef, source: Source) -> bool:
    """Whether a method of the class sets or deletes attributes of its own objects, which raises once it is frozen."""
    parsed = source.parsed
    if parsed is None:
        return False
    names = (
        node.value for node in ast.walk(cls) if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    )
    return any(isinstance(name, ast.Name) and owner_of_self(name, parsed) is cls for name in names)


def _of_class(cls: ast.ClassDef, code: Code) -> Iterator[str]:
    for base in map(last_name, (base.value if isinstance(base, ast.Subscript) else base for base in cls.bases)):
        if base not in _STANDARD_BASES and base not in code.classes:
            yield f'nothing shows whether its base "{base}" is frozen'
    for decorator in cls.decorator_list:
        if isinstance(decorator, ast.Call) and any(keyword.arg == "slots" for keyword in decorator.keywords):
            yield "pickles of a class with slots look different if it is frozen"
    for name in sorted(family_of(cls.name, code)):
        for source, node in code.classes.get(name, ()):
            found = next((part for part in node.body if not _PICKLING.isdisjoint(bound_by(part))), None)
            if found is not None:
                yield f"{source.place(found)} decides what copies of an object set"


def _of_slots(cls: ast.ClassDef, family: Collection[str], code: Code) -> Iterator[str]:
    """`copy` and `pickle` set the attributes in hand-written slots by `setattr`."""
    nodes = [cls, *(node for name in family for _, node in code.classes.get(name, ()))]
    if any("__slots__" in bound_by(part) for node in nodes for part in ast.walk(node)):
        yield "copies of a class with slots are made by setattr, which raises if it is frozen"


def _of_generic(cls: ast.ClassDef, family: Collection[str], code: Code) -> Iterator[str]:
    """`Solver[int](0.1)` sets `__orig_class__`, which a frozen class refuses; typing hides that it raises."""
    generic = [
        parameter
        for name in sorted(family)
        for _, node in code.classes.get(name, ())
        for parameter in _parameters(node)
    ]
    if not generic and not [*_parameters(cls)]:
        return
    for source, use in code.mentioned(_ORIGINAL):
        yield f'{source.place(use)} mentions {_ORIGINAL}, which no object of a frozen "{cls.name}" has'


def _parameters(cls: ast.ClassDef) -> Iterator[ast.AST]:
    """What may make a class generic."""
    yield from (base for base in cls.bases if isinstance(base, ast.Subscript))
    yield from getattr(cls, "type_params", ())  # since Python 3.12


def _of_writes(name: str, fields: Collection[str], family: Collection[str], code: Code) -> Iterator[str]:
    """Where some code may set or delete an attribute of the class."""
    for source, parsed, node in writes(family, code):
        if is_other(node.value, family, source, code):
            continue
        if node.attr in fields or not is_declared_other(node.value, family, parsed, code):
            verb = "assigns to" if isinstance(node.ctx, ast.Store) else "deletes"
            yield f'{source.place(node)} {verb} "{node.attr}" of what may be a "{name}"'
    for source, setter in setters(family, code):
        yield f'{source.place(setter.node)} {setter.does} what may be a "{name}"'


@lru_cache(PROJECTS_KEPT)
def _looked_at(code: Code) -> list[tuple[str, str]]:
    """Where some code may look at whether an object can be hashed, and by what."""
    found = ((source, word, use) for word in sorted(_LOOKING) for source, use in code.named(word))
    return [(source.place(use), word) for source, word, use in found]


def _is_hashable(cls: ast.ClassDef) -> bool:
    """Whether objects have a hash before the class is frozen."""
    given = {
        keyword.arg
        for decorator in cls.decorator_list
        if isinstance(decorator, ast.Call)
        for keyword in decorator.keywords
    }
    return not given.isdisjoint({"unsafe_hash", "eq"}) or any("__hash__" in bound_by(part) for part in cls.body)


def _of_hash(name: str, family: Collection[str], source: Source, parsed: Parsed, code: Code) -> Iterator[str]:
    """Where a file may see whether an object can be hashed."""
    for call in (name for name in parsed.names.get("hash", ()) if not _computes_hash(name, parsed)):
        above = parsed.parent(call)
        given = above.args[0] if isinstance(above, ast.Call) and above.args else None
        if given is None or not is_other(given, family, source, code):
            yield f'{source.place(call)} uses hash, and a frozen "{name}" can be hashed'
    for use in parsed.names.get("TypeError", ()):
        if not _is_raised(use, parsed):
            yield f'{source.place(use)} may catch that a "{name}" cannot be hashed'


def _computes_hash(use: ast.Name, parsed: Parsed) -> bool:
    """Whether a method gives an object its hash; what raises there raises from what asked for it."""
    return any(isinstance(outer, ast.FunctionDef) and outer.name == "__hash__" for outer in parsed.around(use))


def _is_raised(use: ast.Name, parsed: Parsed) -> bool:
    above = parsed.parent(use)
    return isinstance(above, ast.Raise) or (isinstance(above, ast.Call) and isinstance(parsed.parent(above), ast.Raise))
