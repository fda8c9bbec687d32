"""Parameters and fields, and their annotations."""

import libcst as cst

from .documents import Document
from .edits import Edit
from .imports import spelling

Annotated = cst.Param | cst.AnnAssign


def parameters(function: cst.FunctionDef) -> list[cst.Param]:
    """The parameters that take one argument each, in the order of their positions."""
    given = function.params
    return [*given.posonly_params, *given.params, *given.kwonly_params]


def annotation_of(node: Annotated) -> cst.BaseExpression | None:
    return node.annotation.annotation if node.annotation is not None else None


def annotated(document: Document, parameter: cst.Param, text: str) -> Edit | None:
    """Gives a parameter an annotation. `text`: with markers by their own names, `Static[int]`."""
    found = marked(document, text)
    if found is None:
        return None
    expression, edit = found
    old = annotation_of(parameter)
    if old is not None:
        return Edit({old: expression}, imports=edit.imports)
    new = parameter.with_changes(annotation=cst.Annotation(expression))
    if isinstance(parameter.equal, cst.AssignEqual):
        new = new.with_changes(equal=cst.AssignEqual())
    return Edit({parameter: new}, imports=edit.imports)


def marked(document: Document, text: str) -> tuple[cst.BaseExpression, Edit] | None:
    """An annotation with `Static` as the file spells it, and the import for it."""
    expression = cst.parse_expression(text)
    if not isinstance(expression, cst.Subscript) or document.code(expression.value) not in ("Static", "Dynamic"):
        return expression, Edit()
    marker = spelling(document, f"jaxtyped_static.{document.code(expression.value)}")
    if marker is None:
        return None
    return expression.with_changes(value=cst.parse_expression(marker.text)), Edit(imports=marker.imports)
