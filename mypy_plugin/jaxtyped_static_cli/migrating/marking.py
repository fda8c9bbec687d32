"""The type to write inside of `Static[...]` for a parameter."""

import ast
from typing import Final, NamedTuple

import libcst as cst
import libcst.matchers as m

from ..editing.documents import Document
from ..editing.names import Names
from .reasons import Refused
from .static_parameters import Parameter, foreign_type

# What may be a type when it is evaluated; `Static[(int, float)]` would be two.
_TYPES: Final = (cst.Name, cst.Attribute, cst.Subscript, cst.BinaryOperation, cst.SimpleString, cst.ConcatenatedString)
_MARKERS: Final = frozenset({"Static", "Dynamic"})
_SELF: Final = m.Name("Self") | m.Attribute(attr=m.Name("Self"))
_ANNOTATIONS: Final = m.ImportAlias(name=m.Name("annotations"))


class Style(NamedTuple):
    """How the annotations of a module are written."""

    postponed: bool  # they are not evaluated
    quote: str
    write_any: bool  # for a parameter without an annotation


def style_of(document: Document, *, write_any: bool) -> Style:
    code = document.text.replace('"""', "").replace("'''", "")
    return Style(_postpones(document), "'" if code.count("'") > code.count('"') else '"', write_any)


def receiver_of(function: cst.FunctionDef, names: Names) -> cst.Param | None:
    """The parameter that takes what a method is called on."""
    if names.owner(function) is None or "staticmethod" in _decorators(function):
        return None
    return next(iter((*function.params.posonly_params, *function.params.params)), None)


def marked_type(
    parameter: Parameter, function: cst.FunctionDef, names: Names, style: Style
) -> cst.BaseExpression | None:
    """Returns the type to mark; None if the parameter is marked already.

    Raises:
        Refused: the parameter cannot be marked.
    """
    written = parameter.node.annotation
    if (foreign := foreign_type(parameter.node, names)) is not None:
        return foreign
    if written is not None:
        return _checked(written.annotation, parameter.name)
    owner = names.owner(function)
    if owner is not None and parameter.node is receiver_of(function, names):
        return _class_of(owner, function, names, style)
    if not style.write_any:
        raise Refused("unannotated", parameter.name)
    return cst.Name("Any")


def _checked(annotation: cst.BaseExpression, name: str) -> cst.BaseExpression | None:
    head = annotation.value if isinstance(annotation, cst.Subscript) else None
    head = head.attr if isinstance(head, cst.Attribute) else head
    if isinstance(head, cst.Name) and head.value == "Static":
        return None
    if m.findall(annotation, m.Name("Static") | m.Name("Dynamic")):
        raise Refused("marked", name)
    if not isinstance(annotation, _TYPES) or not _is_type(annotation):
        raise Refused("annotation", name)
    return annotation


def _is_type(annotation: cst.BaseExpression) -> bool:
    """Whether an annotation that is written as a text is an expression."""
    if not isinstance(annotation, (cst.SimpleString, cst.ConcatenatedString)):
        return True
    text = annotation.evaluated_value
    try:
        ast.parse(text if isinstance(text, str) else "", mode="eval")
    except (SyntaxError, ValueError):
        return False
    return not any(marker in str(text) for marker in _MARKERS)


def _class_of(owner: cst.ClassDef, function: cst.FunctionDef, names: Names, style: Style) -> cst.BaseExpression:
    signature = [function.params, *([function.returns] if function.returns is not None else [])]
    if any(m.findall(part, _SELF) for part in signature):
        raise Refused("self")
    text = f"{_path(owner, names)}{_type_parameters(owner, names)}"
    if "classmethod" in _decorators(function):
        text = f"type[{text}]"
    return cst.parse_expression(text if style.postponed else f"{style.quote}{text}{style.quote}")


def _path(owner: cst.ClassDef, names: Names) -> str:
    """The name of a class, with the classes around it."""
    path = [owner.name.value]
    for node in names.around(owner):
        if isinstance(node, cst.FunctionDef):
            break
        if isinstance(node, cst.ClassDef):
            path.insert(0, node.name.value)
    return ".".join(path)


def _type_parameters(owner: cst.ClassDef, names: Names) -> str:
    """The type variables of a generic class, in brackets."""
    if owner.type_parameters is not None:
        given = [parameter.param for parameter in owner.type_parameters.params]
        found = [variable.name.value for variable in given if isinstance(variable, cst.TypeVar)]
        return f"[{', '.join(found)}]" if len(found) == len(given) else ""
    bases = [base.value for base in owner.bases if isinstance(base.value, cst.Subscript)]
    generic = [base for base in bases if _last(base.value) in ("Generic", "Protocol")]
    inside = [element for base in generic or bases for element in base.slice]
    variables = [name for part in inside for node in m.findall(part, m.Name()) if (name := _variable(node, names))]
    return f"[{', '.join(dict.fromkeys(variables))}]" if variables else ""


def _variable(node: cst.CSTNode, names: Names) -> str:
    """The name of a type variable of this module; empty for anything else."""
    value = names.value(node) if isinstance(node, cst.Name) else None
    is_variable = isinstance(value, cst.Call) and _last(value.func) == "TypeVar"
    return node.value if is_variable and isinstance(node, cst.Name) else ""


def _last(node: cst.BaseExpression) -> str:
    node = node.attr if isinstance(node, cst.Attribute) else node
    return node.value if isinstance(node, cst.Name) else ""


def _decorators(function: cst.FunctionDef) -> set[str]:
    return {decorator.decorator.value for decorator in function.decorators if isinstance(decorator.decorator, cst.Name)}


def _postpones(document: Document) -> bool:
    future = m.ImportFrom(module=m.Name("__future__"), names=[m.ZeroOrMore(), _ANNOTATIONS, m.ZeroOrMore()])
    return "annotations" in document.text and any(
        m.matches(statement, future) for statement in document.all(cst.ImportFrom)
    )
