"""pytree-cache: a cached property on a pytree, which `jit`, `vmap` and `tree.map` rebuild without its cache."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import TypeInfo

from ..classes import class_model
from ..classes.caches import caching_decorator, is_costly, may_keep_tracer
from ..classes.signing import is_signed_class
from ..compat.dependencies import record_dependency
from ..facts.class_facts import facts_of
from ..flow.captured import captured_caches
from ..flow.crossing import crossing
from ..knowledge.full_names import CACHED_PROPERTY
from ..libraries import LIFTING_PACKAGES
from ..reporting.errors import report
from ..reporting.evidence.wording import CROSSES, places
from ..reporting.finding import Evidence
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from . import CODES

CODE: Final = CODES["pytree-cache"]

_MESSAGE: Final = Message(
    "{subject} is cached on a pytree: the cache is lost whenever the object passes through jit, vmap or tree.map, and "
    "is filled again in every trace{keeps}",
    "make it a plain property, or a data field that is set when the object is made",
    kind="cached-property",
)
_KEEPS: Final = ", and keeps a tracer if a trace captures the object"


def check_class(info: TypeInfo, file: CheckedFile) -> None:
    """Reports each on the line of its decorator; on the `class` line if a base that is not a pytree defines it."""
    if not class_model.is_pytree(info) or any(base.fullname.startswith(LIFTING_PACKAGES) for base in info.mro):
        return
    record_dependency(file.api, class_model.user_bases(info))
    for owner, name in _cached_properties(info):
        place = info.defn if owner is not info else caching_decorator(info, name) or info.defn
        elsewhere = owner if owner is not info else None
        keeps = _KEEPS if may_keep_tracer(owner, name) else ""
        message = _MESSAGE.fill(subject=f"{info.name}.{name}", keeps=keeps)
        harm, evidence = _shown(info, owner, name, file)
        report(file, place, message, CODE, declared=elsewhere, evidence=evidence, harm=harm)


def _shown(info: TypeInfo, owner: TypeInfo, name: str, file: CheckedFile) -> tuple[Harm, list[Evidence]]:
    """What a cache does to the program, and the line that shows it."""
    captured = (found for found in captured_caches(file) if (found.owner, found.name) == (owner, name))
    if (leak := next((found for found in captured if info in found.info.mro), None)) is not None:
        return Harm.LEAKS, [_evidence(leak.read.line, "read", "it of an object that the trace captures", file)]
    place = crossing(info, file) if is_costly(owner, name) else None
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
