"""Parameters of compiled functions that the function uses as arrays, whatever their annotations say."""

from mypy.nodes import Decorator, FuncDef
from mypy.types import CallableType, FunctionLike, Type, UnionType, get_proper_type

from ..facts.functions.array_uses import ArrayUses, array_uses
from ..facts.functions.keeping import facts_of_function, record_helpers, split_name
from ..facts.functions.scope import ModuleNames
from ..facts.functions.steps import uses_of
from ..jit.application import Application, JitCall
from ..jit.signatures import Signature
from ..source.checked_file import CheckedFile


def is_used_as_array(application: Application, name: str, typ: Type) -> bool:
    """Whether the body contradicts a type that cannot be traced: it hands the parameter to JAX as an array.

    A function cannot be calculated with, either. `name`, `typ`: of the parameter.
    """
    uses = array_uses_of(application.call, application.signature, name)
    return name in uses.handed or (name in uses.operated and _is_function(typ))


def array_uses_of(call: JitCall, signature: Signature, name: str) -> ArrayUses:
    function = _function(call, signature)
    return _uses(function, name, call.file) if function is not None else ArrayUses(frozenset(), frozenset())


def _function(call: JitCall, signature: Signature) -> FuncDef | None:
    """The function that is compiled, perhaps below a `functools.partial`."""
    definition = call.function or (signature.definition if isinstance(signature, CallableType) else None)
    definition = definition.func if isinstance(definition, Decorator) else definition
    return definition if isinstance(definition, FuncDef) else None


def _uses(function: FuncDef, name: str, file: CheckedFile) -> ArrayUses:
    if file.defines(function):
        return array_uses(function, [name], ModuleNames.of(file.tree))
    facts = facts_of_function(uses_of(function.fullname), file.modules) or {}
    record_helpers(file.api, {split_name(function.fullname, file.modules)[0]})
    return ArrayUses(frozenset(facts.get("arrays", ())), frozenset(facts.get("operands", ())))


def _is_function(typ: Type) -> bool:
    proper = get_proper_type(typ)
    if isinstance(proper, UnionType):
        return any(map(_is_function, proper.items))
    return isinstance(proper, FunctionLike)
