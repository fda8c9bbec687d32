"""Evidence against freezing a class, or making a container immutable, as it is: lines of the file that then raise.

Each says what to write there instead.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from mypy.nodes import TypeInfo, Var

from ..classes import class_model
from ..classes.copying import changed_copy
from ..classes.reasons import BY_IDENTITY, FREEZABLE, Fault, Reason
from ..facts.objects.uses import ANY_ATTRIBUTE, REFUSED_WHEN_FROZEN, Change
from ..flow.changes import Assigned, ContainerChange, Holder, PassedValue, assignments_to, container_changes, passed_at
from ..reach.objects import changes_of
from ..reach.runs import constructions
from ..source.checked_file import CheckedFile
from ..source.surroundings import surroundings
from .finding import PLACES, Asked, Evidence, Question
from .positions import Position

# Labels of the evidence.
ASSIGNED: Final = "assigned"
MADE: Final = "made in a loop"
NEW_EACH_PASS: Final = "a new one on each pass of a loop"
_MADE: Final = f"{PLACES}, and JAX compiles again for each that it gets"
_REFUSED: Final = "which a frozen class refuses: use"
_LATER: Final = f"{PLACES}, {_REFUSED} {{copy}} there, or {{instead}}"
_MAKING: Final = f"{{places}} in {{method}}, {_REFUSED} object.__setattr__({{object}}, {{name}}, ...) there"
_PASS_SEPARATELY: Final = "pass what changes as a separate dynamic argument"
_MAKE_DATA: Final = "make what changes a data field"
_NAMELESS: Final = "..."  # an object that is no variable, as `written` shows it
# Of the methods that make objects, those whose assignments a frozen class refuses.
_KEPT: Final = ("__init__", "__post_init__", "__attrs_post_init__", "__setstate__")
_INSTEAD: Final = re.compile(r"tuple|frozenset|immutabledict")
_MUTABLE: Final = re.compile(r"\b(?:list|dict|set|deque|defaultdict|OrderedDict|Counter|bytearray)\b")
_ARTICLES: Final = {"tuple": "a tuple", "frozenset": "a frozenset", "immutabledict": "an immutabledict"}
_MAX_LISTED: Final = 6  # lines, in a note


def assignments(position: Position, fault: Fault, file: CheckedFile) -> Iterator[Evidence]:
    """Where the file being checked, or a module that it imports, assigns to attributes of a class that is to be frozen.

    A class that becomes a dataclass loses its `__init__`, but one that is a dataclass keeps what makes its objects.
    """
    info = fault.declared
    if info is None:
        return
    found = assignments_to(info, file)
    later = [assigned for assigned in found if assigned.making is None]
    if later:
        text = _later(_places(later, info, file), _object(later), info, position)
        yield Evidence(ASSIGNED, file.tree.path, later[0].line, text)
    yield from _in_imports(position, info, file)
    if fault.reason is not Reason.NOT_FROZEN:
        return
    for method in dict.fromkeys(assigned.making for assigned in found if assigned.making in _KEPT):
        making = [assigned for assigned in found if assigned.making == method]
        name = f'"{making[0].name}"' if len({assigned.name for assigned in making}) == 1 else "name"
        text = _MAKING.format(places=_places(making, info, file), method=method, object=making[0].owner, name=name)
        yield Evidence("assigned while it is made", file.tree.path, making[0].line, text)


def _later(places: str, owner: str, info: TypeInfo, position: Position) -> str:
    instead = _PASS_SEPARATELY if position.is_argument else _MAKE_DATA
    return _LATER.format(places=places, copy=changed_copy(owner, info), instead=instead)


def _in_imports(position: Position, info: TypeInfo, file: CheckedFile) -> Iterator[Evidence]:
    """One for each imported module. mypy's cache keeps no lines of it, so its functions are named."""
    found: dict[str, list[Change]] = {}
    for module, change in changes_of(info, file):
        if module != file.tree.fullname and change.how in REFUSED_WHEN_FROZEN:
            found.setdefault(module, []).append(change)
    for module, changes in found.items():
        functions = dict.fromkeys(f'"{change.where}"' for change in changes if change.where)
        subjects = f'{listed(functions)} of "{module}"' if functions else f'"{module}"'
        places = f"{subjects} {'assign' if len(functions) > 1 else 'assigns'} {attributes(changes)}"
        yield Evidence(ASSIGNED, file.modules[module].path, None, _later(places, "obj", info, position))


def made_in_loops(fault: Fault, file: CheckedFile) -> Iterator[Evidence]:
    """Where loops of the file being checked make new objects of a class that is compared by identity."""
    calls = constructions(fault.declared, file) if fault.declared is not None else []
    lines = [call.line for call in calls if surroundings(call, file).repeating]
    if lines and fault.declared is not None:
        where = _where(fault.declared, file)
        text = _MADE.replace(PLACES, places(lines, "make", NEW_EACH_PASS, where))
        yield Evidence(MADE, file.tree.path, lines[0], text)


def questions(position: Position, fault: Fault) -> Iterator[Question]:
    """What modules that import this one may show."""
    if fault.declared is None:
        return
    name = fault.declared.fullname
    if fault.reason in FREEZABLE:
        yield Question(Asked.ASSIGNED, name, ASSIGNED, _later(PLACES, "obj", fault.declared, position))
    elif fault.reason in BY_IDENTITY:
        yield Question(Asked.MADE_IN_LOOPS, name, MADE, _MADE)


def _object(found: list[Assigned]) -> str:
    owner = found[0].owner
    return "obj" if _NAMELESS in owner else owner


def _places(found: list[Assigned], info: TypeInfo, file: CheckedFile) -> str:
    """`Lines 4 and 7 assign "dt"`."""
    names = listed(dict.fromkeys(f'"{assigned.name}"' for assigned in found))
    return places([assigned.line for assigned in found], "assign", names, _where(info, file))


def _where(info: TypeInfo, file: CheckedFile) -> str:
    """The module whose lines are meant, unless it is that of the class."""
    return "" if info.module_name == file.tree.fullname else f' of "{file.tree.fullname}"'


def changes_in_place(position: Position, fault: Fault, file: CheckedFile) -> Iterator[Evidence]:
    """Where the file being checked changes, in place, the value that is to become immutable; nothing if it does not."""
    instead = _INSTEAD.match(fault.detail)
    if instead is None:
        return
    for line, text in _texts(position, fault, instead[0], file):
        yield Evidence("changed", file.tree.path, line, text)


def _texts(position: Position, fault: Fault, kind: str, file: CheckedFile) -> Iterator[tuple[int, str]]:
    fields = [index for index, step in enumerate(fault.path) if step.startswith(".")]
    if fields:
        depth = len(fault.path) - fields[-1] - 1
        yield from _about_field(Holder(None, fault.holder, fault.path[fields[-1]][1:]), depth, kind, file)
    elif isinstance(position.context, Var) and position.context.info:
        holder = Holder(None, position.context.info, position.context.name)
        yield from _about_field(holder, len(fault.path), kind, file)
    else:
        for passed in passed_at(position.context, position.owner, file):
            yield from _about_passed(passed, fault, kind, file)


def _about_field(holder: Holder, depth: int, kind: str, file: CheckedFile) -> Iterator[tuple[int, str]]:
    info = holder.info
    if info is None:
        return
    found = container_changes(holder, depth, file)
    is_frozen = class_model.refuses_to_set(info, holder.name)
    for method in dict.fromkeys(change.making for change in found):
        lines = [change for change in found if change.making == method]
        if not is_frozen:
            use = f"assign a new {kind} there"
        elif method is None:
            use = f"use {changed_copy(lines[0].owner, info)} there, with a new {kind}"
        else:
            use = f'use object.__setattr__({lines[0].owner}, "{holder.name}", ...) there, with a new {kind}'
        inside = f" in {method}" if method is not None else ""
        text = f"{_changing(lines, holder.name, _where(info, file))}{inside}, which {_ARTICLES[kind]} refuses: {use}"
        yield lines[0].line, text


def _about_passed(passed: PassedValue, fault: Fault, kind: str, file: CheckedFile) -> Iterator[tuple[int, str]]:
    found = container_changes(passed.holder, len(fault.path), file)
    if found:
        use = f'keep it as it is, and pass {_converted(passed.written, fault.subject, kind)} to "{passed.function}"'
        yield found[0].line, f"{_changing(found, passed.written)}, which {_ARTICLES[kind]} refuses: {use}"


def _changing(found: list[ContainerChange], name: str, where: str = "") -> str:
    return places([change.line for change in found], "change", f'"{name}"', where)


def _converted(value: str, subject: str, kind: str) -> str:
    """`tuple(sizes)`; of containers in containers, only what is short enough for a note."""
    if len(_MUTABLE.findall(subject)) <= 1:
        return f"{kind}({value})"
    return f"tuple(map(tuple, {value}))" if subject.startswith("list[list[") else f'an immutable copy of "{value}"'


def places(lines: Iterable[int], verb: str, what: str, where: str = "") -> str:
    """`Lines 4 and 7 assign "dt"`, `Line 4 of "main" assigns "dt"`."""
    numbers = list(dict.fromkeys(map(str, lines)))
    is_one = len(numbers) == 1
    return f"{'Line' if is_one else 'Lines'} {listed(numbers)}{where} {verb}{'s' if is_one else ''} {what}"


def listed(items: Iterable[str]) -> str:
    """`a, b and c`."""
    shown = list(items)
    if len(shown) > _MAX_LISTED:
        shown = [*shown[: _MAX_LISTED - 1], f"{len(shown) - _MAX_LISTED + 1} more"]
    *rest, last = shown
    return f"{', '.join(rest)} and {last}" if rest else last


def attributes(changes: Iterable[Change]) -> str:
    """`"dt" and "order"`: what is changed."""
    names = dict.fromkeys(change.attribute for change in changes)
    return listed("attributes by their names" if name == ANY_ATTRIBUTE else f'"{name}"' for name in names)
