"""What changes the objects of a class after they were made: the old value stays in what JAX has compiled.

Once the class is frozen, an assignment raises. So each note says what to write there instead.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from mypy.nodes import ClassDef, TypeInfo, Var

from ...classes.copying import changed_copy
from ...classes.memos import unread
from ...classes.reasons import HOLDS_ARRAYS, MUTABLE, Fault, Reason
from ...facts.objects.uses import IN_PLACE, METHOD, REFUSED_WHEN_FROZEN, Change
from ...facts.self_facts import TRUTH
from ...flow.changes import Assigned, assignments_to
from ...knowledge import naming
from ...reach.objects import changes_of
from ...source.checked_file import CheckedFile
from ..finding import PLACES, Asked, Evidence, Question
from ..harm import Harm
from ..positions import Position
from .reads import Read, attributes_read, kept_of
from .versions import is_versioned
from .wording import ASSIGNED_IN_MAKING, CHANGED, REFUSED, attributes, elsewhere, listed, places

_REFUSED: Final = "which a frozen class refuses: use"
_LATER: Final = f"{PLACES}, {_REFUSED} {{copy}} there, or {{instead}}"
KEEPS: Final = f"{PLACES}: what was compiled before keeps the old value"
_MAKING: Final = f"{{places}} in {{method}}, {_REFUSED} object.__setattr__({{object}}, {{name}}, ...) there"
_MOST_MODULES: Final = 3  # that notes name one by one
_MORE: Final = "{count} more of the imported modules assign to such objects, which a frozen class refuses"
_ADVICE_SEPARATELY: Final = "pass what changes as a separate dynamic argument"
_ADVICE_DATA: Final = "make what changes a data field"
_NAMELESS: Final = "..."  # an object that is no variable, as `written` shows it
# Of the methods that make objects, those whose assignments a frozen class refuses.
_KEPT: Final = ("__init__", "__post_init__", "__attrs_post_init__", "__setstate__")
_OF_CONTAINERS: Final = frozenset({Reason.MUTABLE_TYPE, Reason.TYPED_DICT})


class Changing(NamedTuple):
    """What would show that a value changes: changes of these attributes of the objects of a class."""

    info: TypeInfo
    attributes: frozenset[str] | None  # or methods, `step()`, or parts, `config.dt`; None for all
    is_in_place: bool  # what the attribute holds has to change, not the attribute


_Change = tuple[str, Change]  # with its module


def changing(position: Position, fault: Fault, file: CheckedFile) -> Changing | None:
    """What would show that the value at fault changes; None if nothing that is known of objects would, or matters."""
    if is_versioned(position, fault.declared, file):
        return None
    fields, passed = fault.fields, None if fault.path else fault.declared
    read = attributes_read(position, file, passed)
    if fields and read is not None and not _is_kept(fields, read, fault, file):
        return None
    is_whole = fault.reason is Reason.PYTREE_DATA  # the object itself, whatever holds it
    if not is_whole and (fault.reason in _OF_CONTAINERS or fault.reason in HOLDS_ARRAYS):
        holder, name = (fault.holder, fields[-1]) if fields else field_of(position)
        return Changing(holder, frozenset({name}), fault.reason in _OF_CONTAINERS) if holder is not None else None
    if not (is_whole or fault.reason in MUTABLE) or fault.declared is None:
        return None
    if fault.path or read is None:
        return Changing(fault.declared, None, False)
    methods = {f"{name}{METHOD}" for name in read.methods}
    return Changing(fault.declared, kept_of(read.names, read.parts, fault.declared, file) | methods, False)


def _is_kept(fields: list[str], read: Read, fault: Fault, file: CheckedFile) -> bool:
    """Whether the function keeps the field at fault, and not only static parts of it that stay as they are."""
    if not read.reaches(fields) or len(fields) > 1 or fault.holder is None:
        return read.reaches(fields)
    kept = kept_of(frozenset(fields), read.parts, fault.holder, file)
    return not kept.isdisjoint({fields[0], f"{fields[0]}.{TRUTH}"})


def field_of(position: Position) -> tuple[TypeInfo | None, str]:
    """The class with the field that is static, and its name; of an inherited one, the class that makes it static."""
    node = position.context
    if isinstance(node, Var) and node.info:
        return node.info, node.name
    return (
        (position.holder, position.name) if isinstance(node, ClassDef) and position.holder is not None else (None, "")
    )


def changes_shown(searched: Changing | None, file: CheckedFile) -> list[_Change]:
    """Those that the file being checked, and the modules that it imports, make."""
    if searched is None or searched.attributes == frozenset():
        return []
    info, harmless = searched.info, unread(searched.info)
    in_tests = naming.is_test_module(info.module_name)
    return [
        (module, change)
        for module, change in changes_of(info, file)
        if (change.how in IN_PLACE or not searched.is_in_place)
        and (searched.attributes is None or change.concerns(searched.attributes))
        and change.attribute not in harmless
        and counts(module, change, in_tests=in_tests)
        and not change.is_of_set_up  # `check` knows whether a loop reaches it
    ]


def counts(module: str, change: Change, *, in_tests: bool) -> bool:
    """Whether a change leaves an old value in compiled code, other than in tests. `in_tests`: whether these count."""
    is_of_test = naming.is_test_module(module) or any(map(naming.is_test, change.where.split(".")))
    is_stale = not (change.compiles_again or change.is_same)
    return is_stale and (in_tests or not is_of_test)


def stale(shown: list[_Change], file: CheckedFile) -> Iterator[Evidence]:
    """What leaves an old value in compiled code: one for the file being checked, and one for each module it imports."""
    by_module: dict[str, list[Change]] = {}
    for module, change in shown:
        by_module.setdefault(module, []).append(change)
    for module, found in by_module.items():
        if module == file.tree.fullname:
            where = places([change.line for change in found], _verb(found), attributes(found))
            yield Evidence(CHANGED, file.tree.path, found[0].line, KEEPS.replace(PLACES, where))
        else:
            text = KEEPS.replace(PLACES, _in_module(module, _verb(found), found))
            yield Evidence(CHANGED, file.modules[module].path, None, text)


def _verb(found: list[Change]) -> str:
    return "assign" if all(change.is_refused_when_frozen for change in found) else "change"


def freezing(position: Position, info: TypeInfo, file: CheckedFile) -> Iterator[Evidence]:
    """Where the file being checked, or a module that it imports, assigns to objects of a class that is to be frozen."""
    later = [assigned for assigned in assignments_to(info, file) if assigned.making is None]
    if later:
        names = dict.fromkeys(assigned.name for assigned in later)
        lines = [assigned.line for assigned in later]
        where = places(lines, "assign", _quoted(names), elsewhere(info.module_name, file))
        text = _later(where, _object(later), info, position)
        yield Evidence(REFUSED, file.tree.path, lines[0], text)
    imported = list(_in_imports(info, file).items())
    for module, found in imported[:_MOST_MODULES]:
        text = _later(_in_module(module, "assign", found), "obj", info, position)
        yield Evidence(REFUSED, file.modules[module].path, None, text)
    if len(imported) > _MOST_MODULES:
        path = file.modules[imported[_MOST_MODULES][0]].path
        yield Evidence(REFUSED, path, None, _MORE.format(count=len(imported) - _MOST_MODULES))


def making(info: TypeInfo, file: CheckedFile) -> Iterator[Evidence]:
    """Where methods that make objects assign to them, which a frozen class refuses.

    A class that becomes a dataclass loses its `__init__`, but one that is a dataclass keeps what makes its objects.
    """
    found = assignments_to(info, file)
    for method in dict.fromkeys(assigned.making for assigned in found if assigned.making in _KEPT):
        inside = [assigned for assigned in found if assigned.making == method]
        names = dict.fromkeys(assigned.name for assigned in inside)
        where = places([part.line for part in inside], "assign", _quoted(names), elsewhere(info.module_name, file))
        name = _quoted(names) if len(names) == 1 else "name"
        text = _MAKING.format(places=where, method=method, object=inside[0].owner, name=name)
        yield Evidence(ASSIGNED_IN_MAKING, file.tree.path, inside[0].line, text)


def question_of_freezing(position: Position, info: TypeInfo) -> Question:
    """Where modules that import this one assign to objects of a class that is to be frozen."""
    return Question(Asked.ASSIGNED, info.fullname, REFUSED, _later(PLACES, "obj", info, position))


def questions_of_changes(position: Position, searched: Changing | None, shows: Harm | None) -> Iterator[Question]:
    """What modules that import this one may show. `shows`: the harm of what is stale; None if nothing can be."""
    is_read = searched is not None and (searched.attributes is None or bool(searched.attributes))
    if searched is not None and is_read and shows is not None:
        among = tuple(sorted(searched.attributes)) if searched.attributes is not None else ()
        without = tuple(sorted(unread(searched.info)))
        # Who signs is held to the contract, whatever the order in which the program does things.
        compiled = position.compiled if not position.is_signed else ""
        for asked in [Asked.CHANGED] if searched.is_in_place else [Asked.ASSIGNED, Asked.CHANGED]:
            yield Question(
                asked,
                searched.info.fullname,
                CHANGED,
                KEEPS,
                among,
                shows,
                without,
                compiled,
                position.keys,
            )


def _later(where: str, owner: str, info: TypeInfo, position: Position) -> str:
    return _LATER.format(places=where, copy=changed_copy(owner, info), instead=instead_of_changing(position))


def instead_of_changing(position: Position) -> str:
    """Advice that holds whatever the class is."""
    return _ADVICE_SEPARATELY if position.is_argument else _ADVICE_DATA


def _in_imports(info: TypeInfo, file: CheckedFile) -> dict[str, list[Change]]:
    found: dict[str, list[Change]] = {}
    for module, change in changes_of(info, file):
        if module != file.tree.fullname and change.how in REFUSED_WHEN_FROZEN:
            found.setdefault(module, []).append(change)
    return found


def _in_module(module: str, verb: str, found: list[Change]) -> str:
    """mypy's cache keeps no lines of other modules, so their functions are named."""
    functions = dict.fromkeys(f'"{change.where}"' for change in found if change.where)
    subjects = f'{listed(functions)} of "{module}"' if functions else f'"{module}"'
    return f"{subjects} {verb if len(functions) > 1 else f'{verb}s'} {attributes(found)}"


def _object(found: list[Assigned]) -> str:
    owner = found[0].owner
    return "obj" if _NAMELESS in owner else owner


def _quoted(names: Iterable[str]) -> str:
    return listed(f'"{name}"' for name in names)
