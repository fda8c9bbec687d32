"""What the annotation of a parameter says, by its name."""

import ast

from .guards import ancestors
from .source_files import SourceFile


def annotation_of(file: SourceFile, node: ast.expr) -> str:
    """The full name of the annotation of a parameter that a name refers to; empty if there is none."""
    annotation = argument.annotation if (argument := _parameter(file, node)) is not None else None
    return (file.full_name(annotation) or ast.unparse(annotation)) if annotation is not None else ""


def is_unannotated(file: SourceFile, node: ast.expr) -> bool:
    """Whether a name refers to a parameter of which nothing is said."""
    return (argument := _parameter(file, node)) is not None and argument.annotation is None


def _parameter(file: SourceFile, node: ast.expr) -> ast.arg | None:
    if not isinstance(node, ast.Name):
        return None
    for outer, _ in ancestors(node, file.parents):
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            given = (*outer.args.posonlyargs, *outer.args.args, *outer.args.kwonlyargs)
            argument = next((one for one in given if one.arg == node.id), None)
            if argument is not None:
                return argument
    return None
