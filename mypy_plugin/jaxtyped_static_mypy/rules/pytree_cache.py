"""pytree-cache: a cached property on a pytree, which `jit`, `vmap` and `tree.map` rebuild without its cache."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import FuncItem, MemberExpr, TypeInfo

from ..classes import class_model
from ..classes.caches import caching_decorator, is_costly, may_keep_tracer
from ..classes.self_uses import uses_by_method
from ..classes.signing import is_signed_class
from ..compat.dependencies import record_dependency
from ..facts.class_facts import facts_of
from ..flow.captured import captured_caches
from ..flow.crossing import crossing, lifting
from ..knowledge.full_names import CACHED_PROPERTY
from ..libraries import lifted_by
from ..reporting.errors import report
from ..reporting.evidence.wording import CROSSES, places
from ..reporting.finding import Evidence
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..syntax.trees import nodes_below
from . import CODES

CODE: Final = CODES["pytree-cache"]

_MESSAGE: Final = Message(
    "{subject} is cached on a pytree: the cache is lost whenever the object passes through jit, vmap or tree.map, and "
    "is filled again in every trace{keeps}",
    "make it a plain property, or a data field that is set when the object is made",
    kind="cached-property",
)
_ON_MODULE: Final = Message(
    "{subject} caches an array on a module: {library}.jit brings back what a trace does to its arguments, so the first "
    "call leaves a tracer there, and the next one raises",
    "make it a plain property, or compute it when the object is made",
    kind="cached-on-module",
)
_KEEPS: Final = ", and keeps a tracer if a trace captures the object"


def check_class(info: TypeInfo, file: CheckedFile) -> None:
    """Reports each on the line of its decorator; on the `class` line if a base that is not a pytree defines it."""
    if not class_model.is_pytree(info):
        return
    record_dependency(file.api, class_model.user_bases(info))
    library = lifted_by(info)
    for owner, name in _cached_properties(info):
        place = info.defn if owner is not info else caching_decorator(info, name) or info.defn
        elsewhere = owner if owner is not info else None
        keeps = may_keep_tracer(owner, name)
        if library and (not keeps or name in facts_of(owner).get("filled_when_made", ())):
            continue  # it comes back with the object
        if library:
            message, (harm, evidence) = _ON_MODULE, _shown_on_module(info, owner, name, file)
        else:
            message, (harm, evidence) = _MESSAGE, _shown(info, owner, name, file)
        statement = message.fill(subject=f"{info.name}.{name}", keeps=_KEEPS if keeps else "", library=library)
        report(file, place, statement, CODE, declared=elsewhere, evidence=evidence, harm=harm)


def _shown_on_module(info: TypeInfo, owner: TypeInfo, name: str, file: CheckedFile) -> tuple[Harm, list[Evidence]]:
    """The compiled function that fills a cache of arrays, which comes back on its argument."""
    if (leak := _captured(info, owner, name, file)) is not None:
        return Harm.LEAKS, leak
    uses = uses_by_method(info).values()
    root = lifting(info, file)
    is_read = any(name in use.read for use in uses) or (root is not None and _reads(root.function, name))
    if root is None or not is_read:
        return Harm.POTENTIAL, []
    return Harm.LEAKS, [_evidence(root.function.line, "take", "the object through jit", file)]


def _reads(function: FuncItem, name: str) -> bool:
    return any(isinstance(node, MemberExpr) and node.name == name for node in nodes_below(function))


def _captured(info: TypeInfo, owner: TypeInfo, name: str, file: CheckedFile) -> list[Evidence] | None:
    captured = (found for found in captured_caches(file) if (found.owner, found.name) == (owner, name))
    leak = next((found for found in captured if info in found.info.mro), None)
    if leak is None:
        return None
    return [_evidence(leak.read.line, "read", "it of an object that the trace captures", file)]


def _shown(info: TypeInfo, owner: TypeInfo, name: str, file: CheckedFile) -> tuple[Harm, list[Evidence]]:
    """What a cache does to the program, and the line that shows it."""
    if (leak := _captured(info, owner, name, file)) is not None:
        return Harm.LEAKS, leak
    place = crossing(info, file, name) if is_costly(owner, name) else None
    if place is not None:
        return Harm.RECOMPUTES, [_evidence(place.line, "take", f"the object through {place.through}", file)]
    return Harm.CONTRACT if is_signed_class(info, file.settings) else Harm.POTENTIAL, []


def _evidence(line: int, verb: str, what: str, file: CheckedFile) -> Evidence:
    return Evidence(CROSSES, file.tree.path, line, places([line], verb, what))


def _cached_properties(info: TypeInfo) -> Iterator[tuple[TypeInfo, str]]:
    """Cached properties of a class and its bases, except those reported at a base, and those that are leaves."""
    pytrees = [base for base in info.mro[1:] if class_model.is_pytree(base)]
    for base in class_model.user_bases(info):
        if any(base in pytree.mro for pytree in pytrees):
            continue
        for name, (cache, *_) in facts_of(base).get("caches", {}).items():
            is_in_use = info.get_containing_type_info(name) is base
            if cache == CACHED_PROPERTY and is_in_use and not class_model.may_be_flattened(info, name):
                yield base, name
