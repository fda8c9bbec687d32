"""Loops of a file of which each pass has to compile a program of its own, for other code or another size."""

from mypy.nodes import FuncItem, Node

from ..source.checked_file import CheckedFile
from ..source.compiled_in import code_of
from ..source.own_programs import needs_own_programs
from ..source.surroundings import surroundings
from .repetition import is_shown_again
from .runs import FileProgram, running


def needs_own_program(made: Node, file: CheckedFile) -> bool:
    """Whether each pass of the loops around what is compiled makes other code there, and no loop runs the function."""
    around = surroundings(made, file)
    is_looped = around.function is not None and is_shown_again(running(file, around.function))
    return not is_looped and needs_own_programs(around.around, code_of(file))


def calls_for_own_programs(call: Node, function: FuncItem, file: CheckedFile) -> bool:
    """The same of a loop that calls a function, which then has to compile other code, or for another size."""
    around = surroundings(call, file).function
    is_looped = around is not None and is_shown_again(running(file, around))
    return not is_looped and FileProgram(file).needs_own_programs(call, function)
