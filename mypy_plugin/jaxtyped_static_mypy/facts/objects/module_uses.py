"""Reads what the code of one module does with objects."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    TempNode,
)
from mypy.types import AnyType, CallableType, Type

from ...knowledge import naming
from ...syntax.assignments import assigned_pairs
from ...syntax.changes import CHANGING, SETTERS, ChangeKind, changes
from ...syntax.changes import Change as Statement
from ...syntax.imports import imported_names, modules_of_stars
from ...syntax.literals import is_none, literal
from ...syntax.names import attribute_of, dotted_name, is_named
from ..functions.scope import ModuleNames
from .bodies import Body, bodies
from .building import is_being_built
from .compiling import compiled_names, compiles, keeps_compiled, renews
from .making import making_methods, set_up_methods, users_of_methods
from .owners import Owners, is_own, says_nothing
from .same_values import same_values
from .updating import updates
from .uses import ALL_PARTS, ANY_ATTRIBUTE, UNKNOWN, Change, How, ModuleUses

_ITEM_OR_METHOD: Final = {ChangeKind.ITEM: How.ITEM, ChangeKind.METHOD: How.METHOD}
_DELETER: Final = "delattr"
_CLASS: Final = "cls"  # the first parameter of a class method
_CHANGING_COPIES: Final = frozenset({"replace", "_replace", "evolve"})
_GIVING: Final = frozenset({How.ASSIGNED, How.FORCED})
_FORCING: Final = "object."  # a frozen class does not refuse these


def read_uses(file: MypyFile) -> ModuleUses:
    """What a module does with objects; it may have been analysed or only parsed. `all_uses` reads more."""
    return read_module(file)[0]


def read_module(file: MypyFile) -> tuple[ModuleUses, list[Body], Owners]:
    """The same, with the functions of the module and what is known of its objects."""
    found = bodies(file)
    names = ModuleNames.of(file)
    declared = own(_declared(found, Owners(file, names)))
    inferred = own(inferred_attributes(found, Owners(file, names, declared), declared))
    owners = Owners(file, names, declared | inferred)
    users = users_of_methods(found)
    making = making_methods(found, users)
    set_up = set_up_methods(found, making, users)
    renewing = frozenset(body.name for body in found if keeps_compiled(body))
    known = _Known(making, set_up, frozenset(compiled_names(found)), same_values(found, making), renewing)
    uses = ModuleUses(
        file.fullname,
        tuple(change for body in found for change in _changes(body, known, owners)),
        dict(_bases(found, owners)),
        declared,
        inferred,
        own(_results(found, owners)),
        own([*imported_names(file).items(), *_variables(found, owners)]),
        tuple(filter(is_own, modules_of_stars(file))),
        reads=dict(_reads(found)),
    )
    return uses, found, owners


def own(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Of some names and what they stand for, those of the program and of the libraries that are no other's."""
    return {name: text for name, text in pairs if is_own(text)}


# What changes


class _Known(NamedTuple):
    """What is known of a module before its changes are read."""

    making: frozenset[str]  # the methods that make objects
    set_up: frozenset[str]  # those that are a part of setting something up, whatever their names are
    compiled: frozenset[str]  # the names of what it compiles
    same: frozenset[str]  # the attributes that always have one constant
    renewing: frozenset[str]  # the methods that compile something for their object


def _changes(body: Body, known: _Known, owners: Owners) -> Iterator[Change]:
    made, compiles_again = _made_in(body, known.making), compiles(body) or renews(body, known.renewing)
    is_of_set_up = _is_of_set_up(body, known.set_up)
    for node in [node for node in body.nodes if type(node) in CHANGING]:
        for target, attribute, how in changed_by(node):
            if target is None or is_named(target, made):
                continue
            if is_being_built(target, node, body, owners, known.compiled):
                continue
            owner = owners.of(target, body)
            if owner is not None or attribute != ANY_ATTRIBUTE:
                owner, gives = owner or UNKNOWN, _given(node)
                is_same = attribute in known.same and how in _GIVING
                is_updated = how is How.ASSIGNED and updates(node, target, attribute, body)
                flags = (is_of_set_up, is_same, is_updated)
                yield Change(owner, attribute, how, body.name, compiles_again, gives, *flags, node.line)


def _given(node: Node) -> tuple[str, ...]:
    """The parts that an assigned value has by their names: all of a new object, those that change of a copy."""
    value = node.rvalue if isinstance(node, AssignmentStmt) else None
    called = (dotted_name(value.callee) or "").rpartition(".")[2] if isinstance(value, CallExpr) else ""
    if not isinstance(value, CallExpr) or not (naming.is_class(called) or called in _CHANGING_COPIES):
        return ()
    return (ALL_PARTS,) if naming.is_class(called) else tuple(name for name in value.arg_names if name is not None)


def _is_of_set_up(body: Body, set_up: frozenset[str]) -> bool:
    """Whether a function sets something up, or one around it does.

    Not a constructor: that of another class may get an object that has been in use.
    """
    around: Body | None = body
    while around is not None:
        name = around.name.rpartition(".")[2]
        if around.name in set_up or naming.is_named_set_up(name):
            return True
        around = around.outer
    return False


def _made_in(body: Body, making: frozenset[str]) -> str:
    """The name of the object that a method makes, also in a function nested in that."""
    within: Body | None = body
    own = set[str]()
    while within is not None:
        if within.name in making:
            return within.own if within.own not in own else ""
        own.update(within.bound)
        within = within.outer
    return ""


Changed = tuple[Expression | None, str, How]


def changed_by(node: Node) -> tuple[Changed, ...]:
    """The objects that a statement changes, each with the attribute, and how."""
    return (*map(_changed, changes([node])), _set_by_name(node))


def _changed(change: Statement) -> Changed:
    """What has the attribute that a statement changes, the attribute, and how; None if it changes no attribute."""
    if change.kind is ChangeKind.ATTRIBUTE:
        how = How.FORCED if change.is_forced else How.ASSIGNED if change.values else How.DELETED
        return change.target, change.written.rpartition(".")[2], how
    holder = change.target
    if change.kind in _ITEM_OR_METHOD and isinstance(holder, MemberExpr):
        return holder.expr, holder.name, _ITEM_OR_METHOD[change.kind]
    return None, "", How.ASSIGNED


def _set_by_name(node: Node) -> Changed:
    """The object of which a call deletes an attribute, or sets one that is not written out."""
    call = node.expr if isinstance(node, ExpressionStmt) else None
    if not isinstance(call, CallExpr) or len(call.args) < 2:
        return None, ANY_ATTRIBUTE, How.ASSIGNED
    setter, name = dotted_name(call.callee), literal(call.args[1])
    if setter == _DELETER and isinstance(name, str):
        return call.args[0], name, How.DELETED
    is_setter = setter == _DELETER or (setter in SETTERS and not any(changes([node])))
    how = How.FORCED if setter is not None and setter.startswith(_FORCING) else How.ASSIGNED
    return call.args[0] if is_setter else None, ANY_ATTRIBUTE, how


# What the objects are


def _declared(found: list[Body], owners: Owners) -> Iterator[tuple[str, str]]:
    """What the class bodies annotate: those of functions are read as if they stood in the module."""
    for cls, definition in ((cls, node) for body in found for cls, node in body.classes.items()):
        for node in definition.defs.body:
            typ = node.unanalyzed_type if isinstance(node, AssignmentStmt) else None
            written = owners.of_type(typ) if not says_nothing(typ) else None
            target = node.lvalues[0] if isinstance(node, AssignmentStmt) else None
            if written is not None and isinstance(target, NameExpr):
                yield f"{cls}.{target.name}", written


def inferred_attributes(found: list[Body], owners: Owners, declared: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The attributes that the class body and all assignments in methods set to the same kind of thing, or to None."""
    values: dict[str, set[str | None]] = {}
    for body in found:
        for name, value in _set_in_classes(body):
            values.setdefault(name, set()).add(owners.of(value, body))
        for node in body.assignments if body.own else ():
            for target, value in assigned_pairs(node):
                attribute = attribute_of(target, body.own)
                if attribute is not None and not is_none(value):
                    written = node.unanalyzed_type
                    text = owners.of_type(written) if written is not None else owners.of(value, body)
                    values.setdefault(f"{body.cls}.{attribute}", set()).add(text)
    for name, texts in values.items():
        text = owners.one_of(texts) if name not in declared else None
        if text is not None:
            yield name, text


def _set_in_classes(body: Body) -> Iterator[tuple[str, Expression | None]]:
    """The attributes that the class bodies in a function, or in none, set, and their values."""
    for cls, definition in body.classes.items():
        for node in definition.defs.body:
            for target, value in assigned_pairs(node) if isinstance(node, AssignmentStmt) else ():
                if isinstance(target, NameExpr) and not is_none(value) and not isinstance(value, TempNode):
                    yield f"{cls}.{target.name}", value


def _bases(found: list[Body], owners: Owners) -> Iterator[tuple[str, tuple[str, ...]]]:
    for body in found:
        for cls, definition in body.classes.items():
            written = (owners.full_name(_without_arguments(base), body) for base in definition.base_type_exprs)
            yield cls, tuple(base for base in written if base is not None)


def _without_arguments(base: Expression) -> Expression:
    return getattr(base, "base", base)


def _results(found: list[Body], owners: Owners) -> Iterator[tuple[str, str]]:
    """What each function is declared to return: overloads may say different things, and say nothing then.

    Without a declaration, a class method that makes an object by its name makes one of its class: `Grid.from_size(2)`.
    """
    texts: dict[str, set[str]] = {}
    for body in found:
        typ = _return_type(body)
        text = owners.of_type(typ) if typ is not None else _own_object(body, owners)
        if text is not None:
            texts.setdefault(body.name, set()).add(text)
    yield from ((name, said.pop()) for name, said in texts.items() if len(said) == 1)


def _own_object(body: Body, owners: Owners) -> str | None:
    function = body.function
    if not isinstance(function, FuncDef) or not body.cls or not naming.makes_own(function.name):
        return None
    first = function.arguments[0].variable.name if function.arguments else ""
    return f"{owners.file.fullname}.{body.cls}()" if first == _CLASS else None


def _reads(found: list[Body]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The attributes that functions read of parameters of which they use nothing else."""
    for body in found:
        if body.outer is not found[0] or body.cls or not isinstance(body.function, FuncDef):
            continue
        for name in (argument.variable.name for argument in body.function.arguments if not argument.kind.is_star()):
            read = body.attributes_read.get(name)
            if read and name not in body.whole_uses and len(body.bound[name]) == 1:
                yield f"{body.name}.{name}", tuple(sorted(read))


def _return_type(body: Body) -> Type | None:
    typ = body.function.unanalyzed_type if isinstance(body.function, FuncDef) else None
    result = typ.ret_type if isinstance(typ, CallableType) else None
    # Where only parameters have types, the result is an `Any` that nobody wrote.
    return None if isinstance(result, AnyType) else result


def _variables(found: list[Body], owners: Owners) -> Iterator[tuple[str, str]]:
    for name in found[0].bound:
        if (text := owners.of_variable(name, found)) is not None:
            yield name, text
