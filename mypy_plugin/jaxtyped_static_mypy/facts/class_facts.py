"""Records what the source of a class declares and mypy does not keep.

mypy's cache does not keep the syntax of a class. So decorator arguments, field options, pydantic's `model_config`, how
`__init__` sets attributes and more are written into `TypeInfo.metadata` during semantic analysis: what later phases
write is lost in some modes.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, TypedDict, cast

from mypy.nodes import (
    MDEF,
    CallExpr,
    ClassDef,
    Expression,
    IndexExpr,
    NameExpr,
    SymbolTableNode,
    TypeAlias,
    TypeInfo,
)
from mypy.plugin import ClassDefContext, SemanticAnalyzerPluginInterface
from mypy.types import LiteralType

from ..compat.dependencies import keeps_fine_grained_state
from ..compat.modules import is_installed
from ..compat.mypy_api import is_stub, remove_class_check, schedule_class_check, when_analyzed, will_hide_errors
from ..compat.resolution import (
    file_of,
    name_at_run_time,
    names_class,
    re_exported_name,
    resolve_name,
    resolves_all,
    transform_by,
)
from ..knowledge import naming
from ..knowledge.full_names import PARTIAL
from ..knowledge.jax_types import UNREAD_PACKAGES
from ..memory import forget, once_per_run
from ..syntax.decorators import decorator_name
from ..syntax.literals import Arguments, keywords, literal
from ..syntax.names import dotted_name
from .array_facts import ArrayFacts, read_arrays
from .cache_facts import CacheFacts, read_caches
from .class_body import ClassBody
from .clearing_facts import ClearingFacts, read_clearing
from .constructor_facts import ConstructorFacts, read_constructors
from .container_facts import ContainerFacts, read_containers
from .counted_facts import CountedFacts, read_counted
from .derivation_facts import DerivationFacts, read_derivation
from .equality_facts import EqualityFacts, read_equality
from .field_facts import FieldFacts, by_field, read_fields
from .foreign_registrations import registrations_seen
from .helpers import Declarators, HelperFacts, Helpers, positional_arguments
from .identity_facts import IdentityFacts, read_identity
from .method_facts import EnumFacts, MethodFacts, read_enum, read_methods
from .rebound_facts import ReboundFacts, read_rebound
from .registration_facts import RegistrationFacts, read_registrations
from .self_facts import SelfFacts, read_uses_of_self
from .sentinel_facts import SentinelFacts, read_sentinel
from .set_facts import CONSTRUCTORS, SetFacts, read_sets
from .shown_facts import ShownFacts, read_shown
from .stored_facts import StoredFacts, read_stored
from .updating_facts import UpdatingFacts, read_updating
from .weak_facts import WeakFacts, read_weak

KEY: Final = "jaxtyped_static"
_FINGERPRINT: Final = "__jaxtyped_static_facts"

# Marks that say nothing to any rule, by themselves. Not `disjoint_base`: with it, nothing is said of `object` itself.
_FOR_CHECKERS: Final = frozenset({"final", "runtime_checkable"})
_NO_EQ: Final = ("builtins.object", "abc.ABC")


class StatementFacts(TypedDict, total=False):
    """Facts of the class statement."""

    decorators: list[list[Any]]  # full name and literal keyword arguments of each
    by_helper: list[str]  # those of the functions above that one of the program applies
    signs: bool  # a decorator does that the settings name: it declares the static contract
    eq_default_off: bool  # by the `dataclass_transform` of a decorator
    keywords: Arguments
    unknown_bases: list[str]  # bases that mypy cannot see


class Facts(
    StatementFacts,
    FieldFacts,
    MethodFacts,
    RegistrationFacts,
    EqualityFacts,
    IdentityFacts,
    SentinelFacts,
    ShownFacts,
    SelfFacts,
    ReboundFacts,
    ClearingFacts,
    DerivationFacts,
    SetFacts,
    EnumFacts,
    CacheFacts,
    ArrayFacts,
    ContainerFacts,
    HelperFacts,
    ConstructorFacts,
    WeakFacts,
    StoredFacts,
    CountedFacts,
    UpdatingFacts,
    total=False,
):
    """Everything recorded of a class. No two parts may share a key, as one of the facts would be lost."""


_NONE: Final[Facts] = {}


def facts_of(info: TypeInfo) -> Facts:
    """What was recorded of a class, and what the module being checked knows of its registration; maybe empty."""
    facts: Facts = info.metadata.get(KEY, _NONE)  # type: ignore[assignment]
    known = registrations_seen()
    foreign = known.get(info.fullname) if known else None
    if foreign is None:
        return facts
    registrations = [*facts.get("registrations", ()), *foreign.get("registrations", ())]
    return cast(Facts, {**facts, **foreign, "registrations": registrations})


def record_class_facts(ctx: ClassDefContext, *, declarators: Declarators, is_checked: bool) -> None:
    """Called when the bases of a class are known, in every iteration of semantic analysis: it must not add up.

    `declarators`: those that the settings name. `is_checked`: the class statement itself may have errors, so schedule
    its check.
    """
    remove_class_check(ctx.cls)
    forget(ctx.cls.info.fullname)
    facts, info = _facts_of_statement(ctx.cls, ctx.api, declarators), ctx.cls.info
    if is_checked and (facts or len(info.mro) > 2) and not will_hide_errors(ctx.api):
        schedule_class_check(ctx.cls, ctx.api)
    if not facts:
        info.metadata.pop(KEY, None)
        return
    info.metadata[KEY] = cast(dict[str, Any], facts)
    if keeps_fine_grained_state(ctx.api):
        _add_fingerprint(info, facts, ctx.api)


def _facts_of_statement(cls: ClassDef, api: SemanticAnalyzerPluginInterface, declarators: Declarators) -> Facts:
    """Reads the facts until every name is resolved, then remembers them for later iterations."""
    if is_stub(api) and not (cls.info.fallback_to_any or _declares_something(cls)):
        return _NONE
    if cls in _final_facts():
        return _final_facts()[cls]
    facts, final = resolves_all(lambda: _joined(_read_class(cls, Helpers(api, declarators))))
    if final:
        if not _final_facts():
            when_analyzed(api, lambda: _final_facts().clear())
        _final_facts()[cls] = facts
    return facts


def _declares_something(cls: ClassDef) -> bool:
    """Whether the statement of a class in a stub has more than a metaclass, and marks that only type checkers read."""
    if not cls.keywords and not cls.decorators:  # as most
        return False
    if any(name != "metaclass" for name in cls.keywords):
        return True
    return any(not isinstance(node, NameExpr) or node.name not in _FOR_CHECKERS for node in cls.decorators)


@once_per_run
def _final_facts() -> dict[ClassDef, Facts]:
    """Those of the classes that mypy is analysing now and whose names are all resolved."""
    return {}


def _joined(parts: Iterator[Mapping[str, object]]) -> Facts:
    """All facts that say something."""
    return cast(Facts, {key: value for part in parts for key, value in part.items() if value})


def _add_fingerprint(info: TypeInfo, facts: Facts, api: SemanticAnalyzerPluginInterface) -> None:
    """Makes changes of the facts visible to the daemon, which compares symbols, not metadata (`astdiff`, mypy 2.4.1).

    The symbol is an alias, as a variable would be a member of a protocol or an enum. Its name is private to the class,
    so that mypy does not compare it with those of subclasses.
    """
    text = LiteralType(json.dumps(facts, sort_keys=True), api.named_type("builtins.str"))
    alias = TypeAlias(text, f"{info.fullname}.{_FINGERPRINT}", info.module_name, info.line, info.column)
    info.names[_FINGERPRINT] = SymbolTableNode(MDEF, alias, plugin_generated=True)


def _read_class(cls: ClassDef, helpers: Helpers) -> Iterator[Mapping[str, object]]:
    api = helpers.api
    yield _read_statement(cls, helpers)
    if is_stub(api):
        return  # no values and no bodies to read
    body = ClassBody.of(cls)
    yield read_registrations(cls, body, helpers)
    if cls.fullname.partition(".")[0] in UNREAD_PACKAGES:
        return
    fields = read_fields(body, _inherited_fields(cls.info) if body.assignments else frozenset(), helpers)
    yield fields
    filled = read_methods(body)
    yield filled
    yield read_constructors(body)
    yield read_equality(cls, body, api)
    yield read_identity(body)
    methods = body.methods
    if "__eq__" in methods or "__init__" not in methods or cls.decorators or _may_inherit_eq(cls):
        fillers = [methods[name] for name in CONSTRUCTORS if name in methods]
        yield read_derivation(fillers, filled.get("parameters", {}))
    yield read_sets(body)
    yield read_caches(body, api)
    yield read_arrays(body, api)
    yield read_containers(body)
    yield read_enum(cls.info, body)
    yield read_sentinel(cls, body, api)
    yield read_shown(body, fields, api)
    if not is_installed(file_of(api)):
        yield read_uses_of_self(cls)
        yield read_rebound(body)
        yield read_clearing(body)
        yield read_weak(body, api)
        yield read_stored(body, api)
        yield read_updating(cls.info, body)
    if naming.is_test_module(cls.info.module_name):
        yield read_counted(body)
    yield helpers.facts()


def _read_statement(cls: ClassDef, helpers: Helpers) -> StatementFacts:
    api = helpers.api
    decorators = [_read_decorator(node, helpers) for node in cls.decorators]
    return {
        "decorators": [step for _, applied in decorators for step in applied],
        "by_helper": [name for written, applied in decorators for name, _ in applied if name != written],
        "signs": any(written in helpers.declarators.static for written, _ in decorators),
        "eq_default_off": any(_switches_eq_off(node, api) for node in cls.decorators),
        "keywords": {name: literal(value) for name, value in cls.keywords.items() if name != "metaclass"},
        "unknown_bases": list(_unknown_bases(cls, api)) if cls.info.fallback_to_any else [],
    }


def _inherited_fields(info: TypeInfo) -> frozenset[str]:
    """The names of inherited fields that have facts."""
    inherited = (facts_of(base) for base in info.mro[1:])
    return frozenset(name for facts in inherited if facts for part in by_field(facts) for name in part)


def _may_inherit_eq(cls: ClassDef) -> bool:
    return any(base.type.fullname not in _NO_EQ for base in cls.info.bases)


class _ReadDecorator(NamedTuple):
    """The full name of a decorator, and `[full name, literal arguments]` of each function that it applies."""

    written: str
    applied: list[list[Any]]


def _read_decorator(node: Expression, helpers: Helpers) -> _ReadDecorator:
    """Reads `partial(f, ...)` as `f(...)`."""
    api, start = helpers.api, 0
    name = decorator_name(node)
    if isinstance(node, CallExpr) and name is not None and node.args and resolve_name(api, name, node) == PARTIAL:
        name, start = dotted_name(node.args[0]), 1
    arguments = keywords(node) if isinstance(node, CallExpr) else {}
    positional = positional_arguments(node, start) if isinstance(node, CallExpr) else ()
    if name is None:
        return _ReadDecorator("", [["", arguments]])
    found = name_at_run_time(api, name) or re_exported_name(api, name) or resolve_name(api, name, node) or ""
    return _ReadDecorator(found, helpers.applied(found, arguments, positional))


def _switches_eq_off(node: Expression, api: SemanticAnalyzerPluginInterface) -> bool:
    """Whether a decorator is a `dataclass_transform(eq_default=False)`."""
    name = decorator_name(node)
    spec = transform_by(api, name, node) if name is not None else None
    if isinstance(spec, CallExpr):
        return keywords(spec).get("eq_default") is False
    return spec is not None and not spec.eq_default


def _unknown_bases(cls: ClassDef, api: SemanticAnalyzerPluginInterface) -> Iterator[str]:
    """The imported full names of bases that mypy cannot see; an empty name for a base without one."""
    for node in cls.base_type_exprs:
        name = dotted_name(node.base if isinstance(node, IndexExpr) else node)
        if name is None:
            yield ""
        elif not names_class(api, name, node):
            yield resolve_name(api, name, node) or ""
