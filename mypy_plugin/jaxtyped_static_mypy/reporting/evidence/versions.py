"""Static arguments that are only there to compile again: `step(self, x, version=self.version)`, which reads no version.

Who passes one changes it with what the function reads of a static object, so that nothing old stays compiled in.
"""

from mypy.nodes import MemberExpr, NameExpr

from ...flow.traced.given import passed_for
from ...source.checked_file import CheckedFile
from ...syntax.trees import nodes_below
from ..positions import Position


def is_versioned(position: Position, file: CheckedFile) -> bool:
    """Whether calls pass an attribute of some object for a static parameter that the function does not read."""
    function = position.function
    if function is None or not position.keys or not file.defines(function):
        return False
    read = {node.name for node in nodes_below(function.body) if isinstance(node, NameExpr)}
    names = {key.rpartition(":")[2] for key in position.keys} - read
    return any(isinstance(given, MemberExpr) for name in names for given in passed_for(file, function, name))
