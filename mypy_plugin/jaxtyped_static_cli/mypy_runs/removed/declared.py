"""What the annotation of a parameter says, by its name."""

import ast

from .guards import ancestors
from .source_files import SourceFile


def annotation_of(file: SourceFile, node: ast.expr) -> str:
    """The full name of the annotation of a parameter that a name refers to; empty if there is none."""
    if not isinstance(node, ast.Name):
        return ""
    for outer, _ in ancestors(node, file.parents):
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            given = (*outer.args.posonlyargs, *outer.args.args, *outer.args.kwonlyargs)
            argument = next((one for one in given if one.arg == node.id), None)
            if argument is not None:
                annotation = argument.annotation
                return (file.full_name(annotation) or ast.unparse(annotation)) if annotation is not None else ""
    return ""
