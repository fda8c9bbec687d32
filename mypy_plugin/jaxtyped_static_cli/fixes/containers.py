"""Writes immutable containers for mutable ones: in annotations, defaults, and the literals that are passed."""

from typing import Final

import libcst as cst

from jaxtyped_static_mypy.knowledge.full_names import PACKAGE
from jaxtyped_static_mypy.knowledge.type_rows import FORMS_BY_NAME
from jaxtyped_static_mypy.reporting.actions import Action
from jaxtyped_static_mypy.reporting.positions import STATIC_ARGUMENT

from ..editing.documents import Document, Place
from ..editing.edits import Edit
from ..editing.imports import imported
from ..editing.parameters import Annotated, annotation_of
from ..findings.causes import Finding
from .declared_fields import find_field
from .proofs.compiling import why_not_compiled
from .proposals import Change, ProjectFiles, Spot, spot_of

_IMMUTABLE: Final = ("tuple[", "frozenset[")
_STATIC_CLASS: Final = f"{PACKAGE}.static_dataclass"


def make_immutable(finding: Finding, files: ProjectFiles) -> Change | None:
    """static-mutable: `list` and `set`.

    Safe for an argument, since JAX cannot hash a list, so that every call raises; and for a field of a static class,
    whose constructor raises. Objects of other classes may be used before JAX gets them, and a tuple is printed,
    compared, indexed and saved in other ways than a list.
    """
    reported, position = finding.reported, finding.reported.position
    advised = reported.offered(Action.USE_INSTEAD)
    if advised is None or not advised.value("detail").startswith(_IMMUTABLE) or position is None:
        return None
    is_argument = position.label == STATIC_ARGUMENT and not position.owner and not reported.path
    spot = spot_of(finding, files)
    if spot is None:
        return None
    if not reported.path:
        node: Annotated | None = spot.document.starting_at(spot.place, cst.Param) or spot.document.starting_at(
            spot.place, cst.AnnAssign
        )
        return (
            spot.change(immutable(spot.document, node), _doubt(node, spot, files, is_argument=is_argument))
            if node is not None
            else None
        )
    found = find_field(reported.path, spot.path, files)
    if found is None:
        return None
    place, declared = found
    document = files.document(place)
    edit = immutable(document, declared) if document is not None else None
    if edit is None or not isinstance(declared.target, cst.Name):
        return None
    owner = document.parent(declared, cst.ClassDef) if document is not None else None
    return Change({place: edit}, _doubt_of_field(declared.target.value, owner, document))


def _doubt(node: Annotated, spot: Spot, files: ProjectFiles, *, is_argument: bool) -> str:
    if isinstance(node, cst.AnnAssign) or not is_argument:
        owner = spot.document.parent(node, cst.ClassDef)
        return _doubt_of_field(
            spot.document.code(node.target) if isinstance(node, cst.AnnAssign) else "", owner, spot.document
        )
    if node.default is not None and _values(node.default):
        return f'"{node.name.value}" has a default, which a call does not hash'
    return why_not_compiled(files.code)


def _doubt_of_field(name: str, owner: cst.ClassDef | None, document: Document | None) -> str:
    if owner is not None and document is not None and _is_static_class(owner, document):
        return ""
    return f'what uses "{name}", or prints, compares or saves the object, may tell a tuple from a list'


def _is_static_class(owner: cst.ClassDef, document: Document) -> bool:
    """Whether the class verifies its fields when an object is made."""
    known = {import_.full_name: import_.bound for import_ in imported(document.module)}
    spelled = {known.get(_STATIC_CLASS, ""), f"{known.get(PACKAGE, '')}.static_dataclass"}
    decorators = (
        decorator.decorator.func if isinstance(decorator.decorator, cst.Call) else decorator.decorator
        for decorator in owner.decorators
    )
    return any(document.code(decorator) in spelled for decorator in decorators)


def immutable(document: Document, node: Annotated) -> Edit | None:
    """The annotation and default of a parameter or field, with immutable types and values."""
    annotation = annotation_of(node)
    if annotation is None or isinstance(annotation, cst.SimpleString):
        return None
    replaced = dict(_types(annotation))
    if not replaced:
        return None
    default = node.default if isinstance(node, cst.Param) else node.value
    return Edit({**replaced, **(_values(default) if default is not None else {})})


def _types(annotation: cst.BaseExpression) -> list[tuple[cst.CSTNode, cst.CSTNode]]:
    """The outermost mutable types in an annotation, and what to write for each."""
    if (new := _form(annotation)) is not None:
        return [(annotation, new)]
    if isinstance(annotation, cst.BinaryOperation):
        return [*_types(annotation.left), *_types(annotation.right)]
    if isinstance(annotation, cst.Subscript):
        parts = [part.slice.value for part in annotation.slice if isinstance(part.slice, cst.Index)]
        return [pair for part in parts for pair in _types(part)]
    return []


def _form(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """`tuple[int, ...]` for `list[int]`."""
    if isinstance(node, cst.Name) and node.value in FORMS_BY_NAME:
        return node.with_changes(value=FORMS_BY_NAME[node.value])
    if not isinstance(node, cst.Subscript) or not isinstance(node.value, cst.Name) or len(node.slice) != 1:
        return None
    form, index = FORMS_BY_NAME.get(node.value.value), node.slice[0].slice
    if form is None or not isinstance(index, cst.Index):
        return None
    inner = index.with_changes(value=_form(index.value) or index.value)
    item = node.slice[0].with_changes(slice=inner, comma=cst.MaybeSentinel.DEFAULT)
    rest = [cst.SubscriptElement(cst.Index(cst.Ellipsis()))] if form == "tuple" else []
    return node.with_changes(value=cst.Name(form), slice=[item, *rest])


def _values(default: cst.BaseExpression) -> dict[cst.CSTNode, cst.CSTNode]:
    """The values in a default, a `field(default_factory=...)` included."""
    if isinstance(default, cst.Call):
        factories = [
            argument.value
            for argument in default.args
            if argument.keyword is not None and argument.keyword.value == "default_factory"
        ]
        bodies = [factory.body if isinstance(factory, cst.Lambda) else factory for factory in factories]
        return {node: new for body in bodies for node, new in _values(body).items()}
    new = literal(default) or (_form(default) if isinstance(default, cst.Name) else None)
    return {default: new} if new is not None else {}


def literal(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """`(1, 2)` for `[1, 2]`, `frozenset({1})` for `{1}`."""
    if isinstance(node, cst.Set):
        return cst.Call(cst.Name("frozenset"), [cst.Arg(node)])
    if not isinstance(node, cst.List):
        return None
    elements = [element.with_changes(value=literal(element.value) or element.value) for element in node.elements]
    if len(elements) == 1 and isinstance(elements[0].comma, cst.MaybeSentinel):
        elements = [elements[0].with_changes(comma=cst.Comma())]
    inside = cst.LeftParen(node.lbracket.whitespace_after), cst.RightParen(node.rbracket.whitespace_before)
    return cst.Tuple(elements, lpar=[*node.lpar, inside[0]], rpar=[inside[1], *node.rpar])


def display_at(document: Document, place: Place) -> Edit | None:
    """The edit that makes a list or set at a place immutable."""
    node = document.starting_at(place, cst.List) or document.starting_at(place, cst.Set)
    new = literal(node) if node is not None else None
    return Edit({node: new}) if node is not None and new is not None else None
