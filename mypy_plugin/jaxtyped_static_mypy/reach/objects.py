"""Uses of objects: where the file being checked, and the modules that it imports, change objects of a class."""

from collections.abc import Iterable, Mapping

from mypy.nodes import FuncDef, MypyFile, TypeInfo

from ..classes.self_uses import making_methods, uses_by_method
from ..compat.dependencies import record_symbol_use
from ..compat.modules import modules_imported_by
from ..facts.objects.keeping import SYMBOL, kept_uses
from ..facts.objects.module_uses import read_uses
from ..facts.objects.resolving import KnownModules
from ..facts.objects.uses import ANY_ATTRIBUTE, UNKNOWN, Change, ModuleUses
from ..knowledge import naming
from ..source.checked_file import CheckedFile, once_per_file


def changes_of(info: TypeInfo, file: CheckedFile) -> list[tuple[str, Change]]:
    """The changes of objects of a class after they were made, also where a base or subclass declares the object.

    Each with the module that makes it. The line is known only in the file being checked.
    """
    found = _changes_by_class(file)
    imported = modules_imported_by(file.tree, file.modules)
    shown = list(program_of(file).changes_to(info.fullname, {base.fullname for base in info.mro}, found))
    _record(imported, file)  # also the modules that were asked for this answer
    filling = _private_methods_of_making(info) if shown else frozenset()
    return [(module, change) for module, change in shown if f"{module}.{change.where}" not in filling]


def _private_methods_of_making(info: TypeInfo) -> frozenset[str]:
    """The full names of private methods that only run while an object is made, also if a base's constructor calls them.

    A module by itself does not show that: what calls the method there may be in the module of the base.
    """
    making = filter(naming.is_private, making_methods(uses_by_method(info), info))
    return frozenset(f"{base.fullname}.{name}" for name in making for base in info.mro if name in base.names)


def attributes_changed_at_home(info: TypeInfo, file: CheckedFile) -> list[str]:
    """The attributes of a class that the class's own module changes after an object was made, as it comes to them.

    The answer is the same for each module that uses the class.
    """
    home, program = file.modules.get(info.module_name), program_of(file)
    uses = program.find(info.module_name)
    found = (change for change in uses.changes if change.owner != UNKNOWN) if uses is not None else ()
    own = [change.attribute for change in found if program.class_of(change.owner) == info.fullname]
    _record([home] if home is not None else [], file)
    return [name for name in dict.fromkeys(own) if name != ANY_ATTRIBUTE]


def class_held(info: TypeInfo, attribute: str, file: CheckedFile) -> str | None:
    """The full name of the class of what an attribute holds, by its annotation and the values that methods set."""
    return class_of_global(f"{info.fullname}().{attribute}", file)


def class_of_global(name: str, file: CheckedFile) -> str | None:
    """The full name of the class of what a name of a module stands for, by the same."""
    found = program_of(file).class_of(name)
    _record([], file)
    return found


def attributes_read_of(parameter: str, function: FuncDef, file: CheckedFile) -> frozenset[str] | None:
    """What a function of another module reads of a parameter; None if it may do something else with it."""
    uses, name = program_of(file).split(function.fullname)
    _record([], file)
    read = uses.reads.get(f"{name}.{parameter}") if uses is not None else None
    return frozenset(read) if read is not None else None


def _record(modules: Iterable[MypyFile], file: CheckedFile) -> None:
    """Makes mypy check the current target again when what these modules do with objects changes.

    So does what the modules say that were asked what the objects are, which may be any that these import.
    """
    asked = (file.modules[name] for name in sorted(_asked(file)))
    others = dict.fromkeys(module for module in (*modules, *asked) if module is not file.tree)
    record_symbol_use(file.api, list(others), SYMBOL)


@once_per_file
def program_of(file: CheckedFile) -> KnownModules:
    """What the file being checked, and all modules that mypy has read with it, do with objects."""

    def find(module: str) -> ModuleUses | None:
        if module == file.tree.fullname:
            return _own_uses(file)
        known = file.modules.get(module)
        if known is not None:
            _asked(file).add(module)
        return kept_uses(known) if known is not None else None

    return KnownModules(find)


@once_per_file
def _asked(file: CheckedFile) -> set[str]:
    """The modules, beside the file, that were asked what objects are."""
    return set()


@once_per_file
def _own_uses(file: CheckedFile) -> ModuleUses:
    return read_uses(file.tree)


@once_per_file
def _changes_by_class(file: CheckedFile) -> Mapping[str, list[tuple[str, Change]]]:
    """The changes that the file and its imports make, by the full name of the class of what they change."""
    modules = (file.tree, *modules_imported_by(file.tree, file.modules))
    return program_of(file).changes_by_class(module.fullname for module in modules)
