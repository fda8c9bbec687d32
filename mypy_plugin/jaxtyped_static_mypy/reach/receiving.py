"""Which class the object has on which a method is called, where the source shows it: one of another class has another
method of that name.
"""

from mypy.nodes import (
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import CallableType, Instance, TypeVarType, get_proper_type

from ..compat.dependencies import record_dependency
from ..compat.modules import is_installed
from ..compat.mypy_api import lookup_class
from ..knowledge import naming
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile
from ..source.local_bindings import reaching_bindings, reaching_of_module
from ..source.self_values import attribute_of_self, values_of_self
from ..source.surroundings import surroundings
from ..syntax.imports import full_name, imported_names
from ..syntax.names import is_self
from .objects import class_held

_Open = frozenset[SymbolNode | None]


def is_of_another_class(expression: Expression, method: FuncDef, file: CheckedFile) -> bool:
    """Whether `obj.method` is of an object of a class that has nothing to do with that of a method.

    An object of a class below it has the method, and one that is declared as a class above may be of it.
    """
    holder = expression.expr if isinstance(expression, MemberExpr) else None
    if holder is None or _is_of_unseen_package(holder, file):
        return holder is not None
    classes = classes_of(holder, file)
    if not classes or method.info.fallback_to_any or any(info.is_protocol or info.fallback_to_any for info in classes):
        return False
    record_dependency(file.api, [base for info in classes for base in info.mro])
    return all(method.info not in info.mro and info not in method.info.mro for info in classes)


def _is_of_unseen_package(holder: Expression, file: CheckedFile) -> bool:
    """Whether an object is made by a class of a package that mypy does not see: it knows no class of this program."""
    attribute = attribute_of_self(holder)
    if isinstance(holder, MemberExpr):
        values = values_of_self(file, attribute) if attribute is not None else ()
    else:
        values = (made_by(holder, file),)
    called = [full_name(value.callee, file.tree) if isinstance(value, CallExpr) else "" for value in values]
    own = file.tree.fullname.partition(".")[0]
    return bool(called) and all(
        naming.is_class(name) and name.partition(".")[0] not in (own, "builtins", *file.modules) for name in called
    )


def is_of_library(name: MemberExpr, file: CheckedFile) -> bool:
    """Whether this is what a library has, which knows nothing of this program: `@implements(library.Image.draw)`."""
    root: Expression = name
    while isinstance(root, MemberExpr):
        root = root.expr
    package = imported_names(file.tree).get(root.name, "").partition(".")[0] if isinstance(root, NameExpr) else ""
    if not package or package == file.tree.fullname.partition(".")[0]:
        return False
    module = file.modules.get(package)
    return module is None or is_installed(module)


def has_method(holder: Expression, method: FuncDef, file: CheckedFile) -> bool:
    """Whether an object has this method for sure: by its class, and the file has no other for it.

    One of several classes counts as well, where each branch of an `if` makes an object of another.
    """
    return any(_has_method(info, method, file) for info in classes_of(holder, file))


def _has_method(info: TypeInfo, method: FuncDef, file: CheckedFile) -> bool:
    if info.is_protocol or info.fallback_to_any or method.info not in info.mro:
        return False
    record_dependency(file.api, info.mro)
    symbol = info.get(method.name)
    found = symbol.node if symbol is not None else None
    return (found.func if isinstance(found, Decorator) else found) is method and not file.overriding(method)


def classes_of(holder: Expression, file: CheckedFile) -> list[TypeInfo]:
    """By its annotation or the constructors that make it; of an attribute of `self`, by what the methods set it to.

    Empty if the file does not show all of them.
    """
    if isinstance(holder, MemberExpr):
        held = _class_of_attribute(holder, file)
        return [held] if held is not None else []
    if not isinstance(holder, NameExpr) or not isinstance(holder.node, Var) or holder.node.is_self:
        return []
    proper = get_proper_type(holder.node.type) if not holder.node.is_inferred else None
    if proper is not None:
        return [proper.type] if isinstance(proper, Instance) else []
    return _classes_of_variable(holder, holder.node, file, frozenset()) or []


def _classes_of_variable(name: NameExpr, variable: Var, file: CheckedFile, open_: _Open) -> list[TypeInfo] | None:
    """None if the file does not show all of them. `open_`: variables whose values lead here: `x = x.step()`."""
    found: list[TypeInfo] = []
    for value in _values_of(name, variable, file):
        classes = _classes_of_value(made_by(value, file), file, open_ | {variable})
        if classes is None:
            return None
        found += (info for info in classes if info not in found)
    return found


def _classes_of_value(made: Expression, file: CheckedFile, open_: _Open) -> list[TypeInfo] | None:
    """By the constructor that a value calls, or by what functions and methods are declared to return."""
    if (info := class_made(made)) is not None:
        return [info]
    if isinstance(made, NameExpr) and made.node in open_:
        return []
    callee = made.callee if isinstance(made, CallExpr) else None
    if isinstance(callee, MemberExpr) and callee.node is None:
        holders = _classes_of_holder(callee.expr, file, open_)
        symbols = [(info.get(callee.name), info) for info in holders or ()]
        returned = [_returned_class(symbol.node if symbol is not None else None, info) for symbol, info in symbols]
        is_known = holders is not None and None not in returned
        return [info for info in returned if info is not None] if is_known else None
    returned_here = _returned_class(callee.node) if isinstance(callee, RefExpr) else None
    return [returned_here] if returned_here is not None else None


def _classes_of_holder(holder: Expression, file: CheckedFile, open_: _Open) -> list[TypeInfo] | None:
    variable = holder.node if isinstance(holder, NameExpr) else None
    if variable in open_:
        return []
    if isinstance(holder, NameExpr) and isinstance(variable, Var) and variable.is_inferred and not variable.is_self:
        return _classes_of_variable(holder, variable, file, open_) or None
    return classes_of(holder, file) or None


def _returned_class(function: Node | None, own: TypeInfo | None = None) -> TypeInfo | None:
    """The class that a function is declared to return an object of. `own`: that of the object whose method it is."""
    inner = function.func if isinstance(function, Decorator) and function.func.is_class else function
    typ = inner.type if isinstance(inner, FuncDef) else None
    result = get_proper_type(typ.ret_type) if isinstance(typ, CallableType) else None
    if isinstance(result, TypeVarType) and result.id.is_self():
        return own
    return result.type if isinstance(result, Instance) else None


def _values_of(name: NameExpr, variable: Var, file: CheckedFile) -> list[Expression]:
    """What a name stands for at this place: that of the last binding, or of one in each branch of an `if`."""
    if (made := made_by(name, file)) is not name:
        return [made]
    reaching = reaching_of_module if "." in variable.fullname else reaching_bindings
    values = [found.binding.whole for found in reaching(file, name, variable)]
    return [value for value in values if value is not None] if None not in values else []


def class_made(made: Expression) -> TypeInfo | None:
    """The class whose constructor an expression calls."""
    callee = made.callee if isinstance(made, CallExpr) else None
    return callee.node if isinstance(callee, RefExpr) and isinstance(callee.node, TypeInfo) else None


def _class_of_attribute(holder: MemberExpr, file: CheckedFile) -> TypeInfo | None:
    around = surroundings(holder, file).around if is_self(holder.expr) else ()
    own = next((node.info for node in around if isinstance(node, ClassDef)), None)
    name = class_held(own, holder.name, file) if own is not None else None
    return lookup_class(file.api, name) if name is not None else None


def constructed_in_file(holder: Expression, file: CheckedFile) -> TypeInfo | None:
    """The class of the object that a name of this file, or an attribute of `self`, holds: the file itself makes it."""
    attribute = attribute_of_self(holder)
    if isinstance(holder, MemberExpr):
        values = values_of_self(file, attribute) if attribute is not None else ()
    else:
        values = (made_by(holder, file),)
    found = {class_made(made_by(value, file)) for value in values}
    return next(iter(found)) if len(found) == 1 else None
