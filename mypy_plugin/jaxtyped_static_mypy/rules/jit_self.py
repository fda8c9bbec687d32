"""jit-self: `@jit` on a method whose `self` or `cls` is neither a pytree nor static: every call raises."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import Decorator, FuncDef, MemberExpr, RefExpr, TypeInfo
from mypy.types import CallableType, get_proper_type
from mypy.typevars import fill_typevars

from ..classes import class_model
from ..classes.registering import WITH_REGISTER_DATACLASS
from ..classes.untraced import classes_of, is_unread, is_untraceable, lacks_registration, leaves_to_subclasses
from ..compat.dependencies import record_dependency
from ..facts.class_facts import facts_of
from ..jit.application import Application
from ..jit.written_lists import static_lists
from ..knowledge.jax_types import COMPILED_BY_JAX
from ..libraries.jaxtyped_static import JIT_VIEWS
from ..markers.marker import Marker, marker_of
from ..reporting.actions import Action, Alternative
from ..reporting.errors import report
from ..reporting.harm import Harm
from ..reporting.jit_sites import site_of_call
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile, once_per_file
from ..syntax.assignments import targets_of
from . import CODES
from ._static_or_traced import as_pytree, before_static, faults_as_static, survey_in, survey_of

CODE: Final = CODES["jit-self"]
_UNVERIFIED: Final = CODES["static-unverified"]

_SUBCLASSES: Final = "__subclasses__"  # by which a base may register all of its subclasses
_COMPILED: Final = frozenset({*COMPILED_BY_JAX, *JIT_VIEWS})
_NEITHER: Final = '"{cls}" is neither a pytree nor static, so every call of "{method}" raises'
_AS_FUNCTION: Final = "jit a function that takes what it needs as arguments"
_MAKE_PYTREE: Final = Alternative(
    "make it {pytree}", Action.REGISTER_DATACLASS, needs=("cls",), only_if=(("pytree", WITH_REGISTER_DATACLASS),)
)
_MAKE_STATIC: Final = Alternative("make {receiver} static ({static})", Action.MAKE_RECEIVER_STATIC)
_MAKE_STATIC_AFTER: Final = _MAKE_STATIC._replace(text=f"{{before}}{_MAKE_STATIC.text}", only_if=(("before", ""),))
_PYTREE_ONLY: Final = Message(_NEITHER, (_MAKE_PYTREE, _AS_FUNCTION), kind="neither-pytree-nor-static")
_EITHER: Final = Message(_NEITHER, (_MAKE_PYTREE, _MAKE_STATIC_AFTER, _AS_FUNCTION), kind="neither-pytree-nor-static")
_STATIC_ONLY: Final = Message(_NEITHER, (_MAKE_STATIC, _AS_FUNCTION), kind="neither-pytree-nor-static")
_STATIC_CLASS: Final = Message(
    '"{cls}" is a static class, which JAX cannot trace, so every call of "{method}" raises',
    _MAKE_STATIC,
    kind="static-class",
)
_AS_BASE_COMPILES: Final = (
    '"{cls}" is neither a pytree nor static, so every call of "{method}", which "{base}" compiles, raises'
)
_STATIC_IN_BASE: Final = Alternative('{before}make self static in "{base}"', only_if=(("before", ""),))
_INHERITED_PYTREE_ONLY: Final = Message(_AS_BASE_COMPILES, (_MAKE_PYTREE, _AS_FUNCTION), kind="compiled-by-base")
_INHERITED: Final = Message(_AS_BASE_COMPILES, (_MAKE_PYTREE, _STATIC_IN_BASE, _AS_FUNCTION), kind="compiled-by-base")
_CLASS_METHOD: Final = Message(
    '"{receiver}" is a class, which cannot be traced, so every call of "{method}" raises',
    (_MAKE_STATIC._replace(text="make it static ({static})"), "use a staticmethod"),
    kind="class-method",
)
_UNREAD: Final = Message(
    'The checker cannot see whether "{cls}" is a pytree, which "{method}" requires',
    "name it in the setting pytree_types, or make {receiver} static",
    kind="unread-receiver",
)


def check_class(info: TypeInfo, file: CheckedFile) -> None:
    """Reports, on the `class` line, a method that a base for others compiles without making `self` static.

    Values of the base are objects of its subclasses, so only these show that every call raises.
    """
    if (inherited := method_traced_by_base(info)) is None or leaves_to_subclasses(info):
        return
    record_dependency(file.api, class_model.user_bases(info))
    (base, name), seen = inherited, classes_of(file.tree)
    if not is_untraceable(info, seen, file.tree) or is_untraceable(base, seen, file.tree):
        return  # if the base is used itself, too, that is where it is reported
    if name in _attributes_set(file) or _SUBCLASSES in file.uses_by_name:
        return
    before = before_static(faults_as_static(fill_typevars(info), file))
    template = _INHERITED if before is not None else _INHERITED_PYTREE_ONLY
    pytree = as_pytree(info, survey_in(file), file)
    statement = template.fill(cls=info.name, method=name, base=base.name, before=before or "", pytree=pytree)
    report(file, info.defn, statement, CODE, declared=base)


def method_traced_by_base(info: TypeInfo) -> tuple[TypeInfo, str] | None:
    """The first method that a class has from a base which leaves others to it, and compiled with `self` traced."""
    bases = (base for base in info.mro[1:] if base.fullname != "builtins.object")
    inherited = ((base, name) for base in bases for name in _traced_methods(base) if leaves_to_subclasses(base))
    return next(((base, name) for base, name in inherited if info.get_containing_type_info(name) is base), None)


def _traced_methods(info: TypeInfo) -> Iterator[str]:
    """The methods of a class whose compiled form, as mypy knows it, traces `self`.

    A list of static parameters that nobody can read leaves no mark in that form, so all options have to be literals.
    """
    for name in facts_of(info).get("jitted_as_written", ()):
        symbol = info.names.get(name)
        node = symbol.node if symbol is not None else None
        if not isinstance(node, Decorator) or node.func.is_static or node.func.is_class or node.var.type is None:
            continue
        signature = get_proper_type(node.var.type)
        if not isinstance(signature, CallableType) or signature.fallback.type.fullname not in _COMPILED:
            continue
        if signature.arg_types and marker_of(signature.arg_types[0]) is not Marker.STATIC:
            yield name


@once_per_file
def _attributes_set(file: CheckedFile) -> frozenset[str]:
    """The names of the attributes that a file assigns, of whatever object: one may replace a method."""
    targets = (target for node in file.nodes for target in targets_of(node))
    return frozenset(target.name for target in targets if isinstance(target, MemberExpr))


def check_self(application: Application) -> None:
    """Reports on the line of `self`, unless the class may be registered as a pytree where the checker cannot see it."""
    call, file, function = application.call, application.call.file, application.call.function
    if function is None or not call.row.traces_all or not call.site.known:
        return
    if not function.info or function.is_static or 0 in application.static or not function.arguments:
        return
    if function.is_class:
        _check_cls(application, function)
        return
    info = function.info
    record_dependency(file.api, class_model.user_bases(info))
    seen = classes_of(file.tree)
    if is_untraceable(info, seen, file.tree):
        _report(application, function)
    elif lacks_registration(info, seen, file.tree):
        _report(application, function, Harm.POTENTIAL)  # another module may register it
    elif (static := _static_as_it_is(application, function)) is not None:
        message = _STATIC_ONLY.fill(
            cls=info.name, method=function.name, receiver=function.arguments[0].variable.name, static=static
        )
        report(file, function.arguments[0], message, CODE, site=site_of_call(call))
    elif file.settings.strict and is_unread(info):
        message = _UNREAD.fill(cls=info.name, method=function.name, receiver=function.arguments[0].variable.name)
        report(file, function.arguments[0], message, _UNVERIFIED)


def _static_as_it_is(application: Application, function: FuncDef) -> str | None:
    """How to make the object static, if its class is made for that, and can never be traced: an enum, a module of Flax.

    None for any other class.
    """
    call, typ = application.call, fill_typevars(function.info)
    obstacle = survey_of(call).obstacle(typ)
    if obstacle is None or obstacle.path or obstacle.declared is not None or faults_as_static(typ, call.file):
        return None
    name = function.arguments[0].variable.name
    return _static(application, name, f'"{function.info.name}"')


def _report(application: Application, function: FuncDef, harm: Harm | None = None) -> None:
    file = application.call.file
    info, name = function.info, function.arguments[0].variable.name
    static = _static(application, name, f'"{info.name}"')
    before = before_static(faults_as_static(fill_typevars(info), file))
    pytree = as_pytree(info, survey_of(application.call), file)
    template = _EITHER if before is not None and static is not None else _PYTREE_ONLY
    if class_model.is_declared_static(info, file.settings.static_bases) and static is not None:
        template = _STATIC_CLASS
    message = template.fill(
        cls=info.name, method=function.name, receiver=name, static=static or "", before=before or "", pytree=pytree
    )
    report(file, function.arguments[0], message, CODE, site=site_of_call(application.call), harm=harm)


def _check_cls(application: Application, function: FuncDef) -> None:
    """Checks `@jit` below `@classmethod`. Above it, jit raises when the class statement runs."""
    context = application.call.context
    outermost = context.original_decorators[0] if isinstance(context, Decorator) else None
    if not isinstance(outermost, RefExpr) or outermost.fullname != "builtins.classmethod":
        return
    name, written = function.arguments[0].variable.name, f'"type[{function.info.name}]"'
    static = _static(application, name, written)
    message = _CLASS_METHOD.fill(receiver=name, method=function.name, static=static or "static_argnums=0")
    report(application.call.file, function.arguments[0], message, CODE, site=site_of_call(application.call))


def _static(application: Application, name: str, written: str) -> str | None:
    if application.call.row.reads_markers:
        return f"{name}: Static[{written}]"
    return static_lists(application, [0])
