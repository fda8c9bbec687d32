"""Which code of a file runs outside of jit, as far as the file shows."""

from mypy.nodes import AssignmentStmt, CallExpr, FuncDef, FuncItem, NameExpr, Node

from ..facts.method_facts import MAKING
from ..knowledge import naming
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.handing import Handed, Handing, handing
from ..source.host_code import is_of_host, own_nodes
from ..source.surroundings import surroundings
from ..syntax.imports import full_name
from .callers import kept_calls
from .eager import eager_at
from .file_program import FileProgram
from .liveness import calls_through
from .program import Uses
from .runs import Running
from .uses import uses_of


class _EagerFile(FileProgram):
    """A file as a program."""

    def is_staged(self, place: Node) -> bool:
        return self._handing(place).is_staged

    def is_batched(self, place: Node) -> bool:
        return any(self._handing(node).is_batched for node in self._in_place(place)) or self._calls_batching(place)

    def _calls_batching(self, place: Node) -> bool:
        """Whether a call is that of a name which stands for `jax.vmap(f)`."""
        callee = place.callee if isinstance(place, CallExpr) else None
        made = made_by(callee, self.file) if isinstance(callee, NameExpr) else None
        while isinstance(made, CallExpr):
            if naming.batches(self._name(made.callee)):
                return True
            made = made.args[0] if made.args else None
        return False

    def _handing(self, place: Node) -> Handing:
        return handing(surroundings(place, self.file).around, self._name)

    def _runs_in_place(self, handed: Handing) -> bool:
        """One call for all leaves runs the code once: each shape compiles for itself anyway."""
        return handed.is_in_place or handed.how is Handed.LEAVES

    def is_of_host(self, function: FuncItem) -> bool:
        return is_of_host(function, list(own_nodes(function)), lambda callee: full_name(callee, self.file.tree))

    def certain_uses(self, function: FuncItem) -> Uses[Node]:
        found = self.uses(function)
        if function.info and function.name in MAKING:
            return found
        leaves = [place for place in found.handed_on if self._handing(place).how is Handed.LEAVES]
        on = [place for place in found.handed_on if place not in leaves]
        found = found._replace(calls=[*found.calls, *leaves], handed_on=on)
        uses = uses_of(self.file, function).certain
        certain = {node for use in uses for node in (use.call, use.expression, *kept_calls(use, self.file))}
        found = found._replace(calls=[call for call in found.calls if call in certain])
        is_plain = not function.info and function not in self.file.decorators
        return self._followed(found) if is_plain and not found.compiled else found

    def _followed(self, found: Uses[Node]) -> Uses[Node]:
        """The same with the calls through names that hand the function on, where the file shows all of these."""
        through = [calls_through(place, self.file) for place in found.handed_on]
        if not through or not all(through):
            return found
        return found._replace(calls=[*found.calls, *(call for calls in through for call in calls)], handed_on=[])


@once_per_file
def eager_running(file: CheckedFile, node: Node, is_batch_run: bool) -> Running | None:
    """How often the file runs the code at a node outside of jit; None if it does not show that it does."""
    return eager_at(node, _EagerFile(file), is_batch_run=is_batch_run)


def may_run_eagerly(function: FuncItem, file: CheckedFile) -> bool:
    """Whether other files may show that a function runs outside of jit: this one does not hand it to anybody."""
    program = _EagerFile(file)
    defined = program.defined(function)
    if defined is None or not defined.keeps_eager:
        return False
    uses = program.uses(function)
    return all(_is_of_batches(place, function, program) for place in uses.handed_on) and not uses.compiled


def _is_of_batches(place: Node, function: FuncItem, program: _EagerFile) -> bool:
    """Whether a module makes another function of one, for batches: `solve_all = jax.vmap(solve)`.

    Whoever calls the function itself still runs that.
    """
    around = surroundings(place, program.file).around
    call, statement = (*around[1:3], None, None)[:2]
    if not isinstance(call, CallExpr) or not isinstance(statement, AssignmentStmt):
        return False
    names = [target.name for target in statement.lvalues if isinstance(target, NameExpr)]
    is_other = len(names) == len(statement.lvalues) and function.name not in names
    is_of_module = program.function_around(place) is None
    return is_other and is_of_module and naming.batches(full_name(call.callee, program.file.tree))


def is_called_within(node: Node, outer: FuncItem, file: CheckedFile) -> bool:
    """Whether a function runs the code at a node itself, or through functions nested in it that it only calls."""
    pending, seen = [node], set[FuncItem]()
    while pending:
        function = surroundings(pending.pop(), file).function
        if function is outer:
            return True
        if isinstance(function, FuncDef) and function not in seen and may_run_eagerly(function, file):
            seen.add(function)
            pending += (call for call in _EagerFile(file).uses(function).calls if isinstance(call, CallExpr))
    return False
