"""The classes of the objects that methods have for `self`."""

from collections.abc import Mapping

from mypy.nodes import SymbolNode, TypeInfo

from ..syntax.trees import self_parameter
from .checked_file import CheckedFile, once_per_file


@once_per_file
def classes_of_selves(file: CheckedFile) -> Mapping[SymbolNode, TypeInfo]:
    """The class of each `self` of the file."""
    own = ((self_parameter(function), function.info) for function in file.functions if not function.is_class)
    return {variable: info for variable, info in own if variable is not None}
