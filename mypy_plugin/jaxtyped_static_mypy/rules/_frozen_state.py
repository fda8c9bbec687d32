"""jit-bound-method: what a compiled method keeps of its object."""

from collections.abc import Mapping
from typing import NamedTuple

from mypy.nodes import FuncDef, Node, TypeInfo
from mypy.plugin import CheckerPluginInterface

from ..classes import class_model
from ..classes.class_fields import attributes
from ..classes.self_uses import making_methods, reached_from, set_again
from ..compat import mypy_api
from ..compat.modules import is_installed
from ..facts.self_facts import SelfUses, head_of
from ..jit.application import JitCall
from ..knowledge.type_rows import AsKey
from ..libraries import KEY_TYPES, TREE_METHODS, VALUE_METHODS
from ..reporting.evidence.kept import Kept
from ..reporting.evidence.reads import kept_of
from ..source.surroundings import surroundings


class Read(NamedTuple):
    """What is compiled, and the object that it captures."""

    info: TypeInfo  # the class of the object
    method: str
    owner: str  # the object, as written
    is_of_self: bool


class Frozen(NamedTuple):
    """What the compiled function keeps of an object that can change."""

    kept: Kept
    shown: str  # one of the attributes; empty if it may keep others than those that are known
    is_silent: bool  # nothing is said unless the program changes it


def is_of_others(info: TypeInfo, api: CheckerPluginInterface) -> bool:
    """Whether to say nothing, because a class is not the user's to change, or has methods that are found again."""
    names = {base.fullname for base in info.mro}
    if not names.isdisjoint(VALUE_METHODS | TREE_METHODS) or info.is_enum or info.is_named_tuple or info.is_protocol:
        return True
    known = (KEY_TYPES[base.fullname] for base in info.mro[:-1] if base.fullname in KEY_TYPES)
    if any(entry.key is not AsKey.ABSTRACT for entry in known):
        return True
    if not class_model.is_readable(info) and not class_model.has_unseen_base(info):
        return True
    module = mypy_api.module_of(api, info)
    return module is None or is_installed(module)


def frozen_state(read: Read, uses: Mapping[str, SelfUses], call: JitCall) -> Frozen | None:
    """What the compiled function keeps; None if the object cannot change, or nothing is known of it."""
    info = read.info
    is_unseen, is_abstract = class_model.has_unseen_base(info), class_model.is_abstract(info)
    if not read.is_of_self and (is_unseen or is_abstract):
        return None
    making = making_methods(uses, info)
    reached = reached_from(read.method, uses, info)
    names = reached.attributes & set_again(info) if is_unseen else reached.attributes
    kept_names = kept_of(names, reached.parts, info, call.file)
    public = sorted(name for name in map(head_of, kept_names) if _is_assignable(info, name))
    if not kept_names and reached.is_known:
        return None
    is_silent = read.is_of_self and (is_unseen or is_abstract or _is_being_made(call, making))
    apart = reached.methods | making
    late = {name for name in apart - making if name in uses} | {name for name in making if not name.startswith("_")}
    assigned = frozenset[str]().union(*(uses[name].assigned for name in late & uses.keys()))
    kept = Kept(info, read.owner, kept_names, apart, assigned)
    shown = public[0] if public and reached.is_known else ""
    return Frozen(kept, shown, is_silent or (not public and reached.is_known))


def _is_being_made(call: JitCall, making: frozenset[str]) -> bool:
    """Whether the jit call is in `__init__`, or in another method that runs while the object is made."""
    around = surroundings(call.context, call.file).around if isinstance(call.context, Node) else ()
    return any(isinstance(node, FuncDef) and bool(node.info) and node.name in making for node in around)


def _is_assignable(info: TypeInfo, name: str) -> bool:
    if name.startswith("_"):
        return False
    return any(name == attribute and not var.is_final for base in info.mro for attribute, var in attributes(base))
