"""jax-call: `state.replace(...)` of a field that the class of the object does not have."""

from collections.abc import Iterable
from typing import Final

from mypy.errorcodes import CALL_ARG
from mypy.nodes import CallExpr, TypeInfo
from mypy.types import Instance, Type, get_proper_type

from ..classes import class_model
from ..classes.class_fields import init_vars, managed_names
from ..classes.constructors import parameter_names
from ..compat.dependencies import record_dependency
from ..compat.modules import is_installed
from ..knowledge.function_rows import Effect
from ..libraries import known_function
from ..reporting.errors import report
from ..reporting.finding import INHERITED, Asked, Question
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from . import CODES
from ._refused import is_expected

_CODE: Final = CODES["jax-call"]
_NO_FIELD: Final = Message(
    '"{cls}" has no field "{name}", so this call raises', "pass fields that the class has", kind="no-such-field"
)
_REPLACE: Final = "replace"
_OF_DATACLASSES: Final = f"dataclasses.{_REPLACE}"


def check_replaced(call: CallExpr, made: Type, function: str, file: CheckedFile) -> None:
    """Reports a call that the constructor refuses; an object of a subclass may have more fields."""
    typ = get_proper_type(made)
    if not isinstance(typ, Instance) or function.rpartition(".")[2] != _REPLACE or is_expected(call, file):
        return
    if function == _OF_DATACLASSES and file.settings.shows(CALL_ARG.code, file.options):
        return  # mypy says it
    record_dependency(file.api, typ.type.mro)
    names = _fields(typ.type) if _copies(typ.type) and _is_of_project(typ.type, file) else frozenset()
    given = (name for name in call.arg_names if name is not None)
    unknown = next((name for name in given if name not in names), None) if names else None
    if unknown is None or any(_is_below(info, typ.type) for info in _classes(file)):
        return
    question = Question(Asked.INHERITED, typ.type.fullname, INHERITED, "")
    statement = _NO_FIELD.fill(cls=typ.type.name, name=unknown)
    report(file, call, statement, _CODE, questions=[question])


def _fields(info: TypeInfo) -> frozenset[str]:
    """What the generated constructor of a class of the project takes; empty if that is not known."""
    constructor = info.get("__init__")
    is_generated = constructor is not None and constructor.plugin_generated
    is_open = info.is_intersection or info.fallback_to_any or class_model.declaration_of(info) is None
    if is_open or not is_generated or not class_model.user_bases(info):
        return frozenset()
    names = (name for name in parameter_names(info) if name is not None)
    return frozenset(names) | init_vars(info) | frozenset(managed_names(info) or ())


def _copies(info: TypeInfo) -> bool:
    """Whether objects have no method of this name that does something else."""
    symbol = info.get(_REPLACE)
    return symbol is None or Effect.COPIES in known_function(symbol.fullname or "").effects


def _is_of_project(info: TypeInfo, file: CheckedFile) -> bool:
    """Whether the project has the class: those of libraries are there to inherit from."""
    module = file.modules.get(info.module_name)
    return module is not None and not is_installed(module)


def _classes(file: CheckedFile) -> Iterable[TypeInfo]:
    return (symbol.node for symbol in file.tree.names.values() if isinstance(symbol.node, TypeInfo))


def _is_below(info: TypeInfo, base: TypeInfo) -> bool:
    return info is not base and base in info.mro
