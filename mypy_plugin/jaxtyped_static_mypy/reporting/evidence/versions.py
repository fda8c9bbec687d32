"""Static arguments that are only there to compile again: `step(self, x, version=self.version)`, which reads no version.

Who passes one changes it with what the function reads of a static object, so that nothing old stays compiled in.
"""

from mypy.nodes import MemberExpr, NameExpr, TypeInfo

from ...flow.traced.given import passed_for
from ...reach.objects import changes_of
from ...source.checked_file import CheckedFile
from ...syntax.trees import nodes_below
from ..positions import Position


def is_versioned(position: Position, info: TypeInfo | None, file: CheckedFile) -> bool:
    """Whether calls pass, for a static parameter that the function does not read, what changes with objects of info."""
    function = position.function
    if info is None or function is None or not position.keys or not file.defines(function):
        return False
    counted = {change.attribute for _, change in changes_of(info, file)}
    read = {node.name for node in nodes_below(function.body) if isinstance(node, NameExpr)}
    names = {key.rpartition(":")[2] for key in position.keys} - read
    given = (value for name in names for value in passed_for(file, function, name))
    return any(isinstance(value, MemberExpr) and value.name in counted for value in given)
