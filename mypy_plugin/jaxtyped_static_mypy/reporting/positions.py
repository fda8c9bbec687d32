"""Static positions: parameters, arguments and fields whose values JAX uses as part of a compilation key."""

from typing import Final, NamedTuple

from mypy.nodes import Context, FuncDef, TypeInfo
from mypy.types import Type

from .actions import Alternative
from .finding import Place, Site

STATIC_ARGUMENT: Final = "Static argument"
# An argument of what traces only arrays, such as `eqx.filter_jit`, and makes all else static.
NO_ARRAY: Final = "Static argument (no array)"
STATIC_FIELD: Final = "Static field"
STATIC_CLASS: Final = "Static class"


class Position(NamedTuple):
    """A static position: where errors about it are reported, what they call it, and its declared type."""

    context: Context
    label: str  # one of the constants above
    name: str
    type: Type
    owner: str = ""  # at a call: the function or class that has the parameter or field
    called: str = ""  # at a call: the full name of the function, where that is known
    undo: tuple[Alternative, ...] = ()  # advice: how to make it dynamic
    is_hashed: bool = True  # False: JAX compares its values, and never hashes them
    is_key: bool = True  # False: it does neither, and only must not trace them
    is_in_identity: bool = False  # whether it is a field of an object that JAX hashes and compares by identity
    site: Site | None = None  # what makes it static, if that is a jit call
    is_verified: bool = False  # a constructor raises for a value that breaks the contract
    is_signed: bool = True  # declared with this package's names: held to the contract by the letter
    function: FuncDef | None = None  # what gets the argument, if its source is in the file being checked
    compiled: str = ""  # what gets the argument, by the name under which it is compiled
    method: str = ""  # what gets the argument as its object, if that is a method of it
    holder: TypeInfo | None = None  # the class whose objects have the field
    keys: tuple[str, ...] = ()  # the other static parameters: `1:version`, as calls count them

    def __str__(self) -> str:
        return str(self.place)

    @property
    def place(self) -> Place:
        return Place(self.label, self.name, self.owner, self.called)

    @property
    def is_argument(self) -> bool:
        return self.label in (STATIC_ARGUMENT, NO_ARRAY)
