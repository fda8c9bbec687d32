"""Where a value goes that a function makes: what calls it, and whether it leaves the function."""

from typing import Final, NamedTuple

from mypy.nodes import (
    AssertStmt,
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Decorator,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IfStmt,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    Node,
    OpExpr,
    ReturnStmt,
    SuperExpr,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    WhileStmt,
)

from ..facts.set_facts import CONSTRUCTORS
from ..libraries import jit_function
from ..source.checked_file import CheckedFile, once_per_file
from ..source.surroundings import surroundings
from ..syntax.arguments import named_arguments
from ..syntax.trees import nodes_below, self_parameter
from . import passing
from .gathering import Gathering
from .holders import Held
from .items import compiler_mapped, numbered
from .parts import (
    ANY_ITEM,
    COMPILED,
    LOWERING,
    Path,
    Step,
    below,
    has_bases,
    item_at,
    owners_of,
    step_in_call,
    step_in_display,
)
from .passing import Passed


class Life(NamedTuple):
    """What becomes of a value in the function that makes it, and in those that it hands the value to."""

    calls: tuple[Node, ...]  # of the value
    handed: tuple[Node, ...]  # calls of what holds the value, or gets it, which may call it
    returned: tuple[Path, ...]  # what leads from the result of the function to the value
    is_global: bool  # a name of the module holds it, which others may use
    leaves: bool  # perhaps: in another way than these
    is_compiled_in: bool = False  # another compiled function calls it, whose uses are among these
    is_looped: bool = False  # `map` calls it, or a method of an object that holds it has a loop
    over: frozenset[Node] = frozenset()  # loops that get it on one pass, among others: `for f in functions`
    collected: frozenset[Node] = frozenset()  # comprehensions that it is an item of: `[jax.jit(f) for f in functions]`

    @property
    def is_used_up(self) -> bool:
        """Whether the function calls the value, and drops it."""
        return self.ends_with_call and not self.is_compiled_in

    @property
    def ends_with_call(self) -> bool:
        """The same, also if what calls the value is compiled itself, and dropped as well."""
        return bool(self.calls) and not self.leaves and not self.returned

    @property
    def places(self) -> tuple[Node, ...]:
        return (*self.calls, *self.handed)


VALUE: Final[tuple[Path, ...]] = ((),)
_OF_DICTS: Final = frozenset({"items", "values"})


@once_per_file
def life_of(file: CheckedFile, made: Node, paths: tuple[Path, ...]) -> Life:
    """`made`: an expression, or a decorated function. `paths`: from there to the value, if that only holds it."""
    is_one = isinstance(made, CallExpr) and jit_function(compiler_mapped(made), file.settings.jit_functions) is not None
    starts = [Held(made, (ANY_ITEM, *path) if is_one else path) for path in paths]
    walk = _Walk(file, surroundings(made, file).function, owners_of(paths), starts)
    for path in paths:
        walk.construct(path)
    while walk.pending and not walk.leaves:
        held = walk.pending.pop()
        if held not in walk.seen:
            walk.seen.add(held)
            walk.follow(held)
    ended = tuple(walk.calls), tuple(walk.handed), tuple(dict.fromkeys(walk.returned))
    loops = frozenset(walk.over), frozenset(walk.collected)
    return Life(*ended, walk.is_global, walk.leaves, walk.is_compiled_in, walk.is_looped, *loops)


class _Walk(Gathering):
    """Follows a value from where it is made to all of its uses."""

    def follow(self, held: Held) -> None:
        node = held.node
        if isinstance(node, (FuncDef, Decorator)):
            self.define(node, held)
            return
        place = surroundings(node, self.file)
        match place.parent:
            case CallExpr() as call:
                self._call(call, held) if call.callee is node else self._hand(call, held)
            case MemberExpr() as read:
                self._read(read, held)
            case IndexExpr(base=base) as read if base is node:
                self._take(read, item_at(read.index), held)
            case AssignmentExpr(value=bound, target=target) as parent if bound is node:
                self.pending.append(held._replace(node=parent))
                self.bind(target, parent, held)
            case ConditionalExpr(cond=condition) as parent:
                self.pending += [held._replace(node=parent)] if condition is not node else []
            case OpExpr(op="and" | "or") as parent:
                self.pending.append(held._replace(node=parent))
            case AssignmentStmt() as parent:
                self.assign(parent, held)
            case TupleExpr() | ListExpr() as parent if passing.is_taken_apart(parent, place):
                self.assign(place.around[2], held)
            case ForStmt(expr=iterable, index=target) as loop if iterable is node:
                self.loop(loop, target, held)
            case GeneratorExpr() | DictionaryComprehension() as parent:
                self.comprehend(parent, held)
            case ListComprehension() as parent:
                self.pending.append(held._replace(node=parent))
            case TupleExpr() | ListExpr() | DictExpr() as parent:
                self.hold_in(parent, step_in_display(parent, node) if isinstance(node, Expression) else None, held)
            case ReturnStmt() if place.function is self.root:
                self.returned.append(held.path)
            case AssertStmt() | ComparisonExpr() | ExpressionStmt() | IfStmt() | UnaryExpr(op="not"):
                pass  # drops it, or only looks whether it is there
            case _:
                self.leaves = True

    # What is called, and what it gets

    def _call(self, call: CallExpr, held: Held) -> None:
        if held.may_call and not held.path:
            self.handed.append(call)
        elif not held.path:
            self.calls.append(call)
        elif (owner := held.path[0].owner) is not None:
            self._enter_member("__call__", owner, call, held)
        else:
            self.leaves = True

    def _hand(self, call: CallExpr, held: Held) -> None:
        """A function of JAX calls the value or returns one that does; one of the file may do no more than call it."""
        value = held.node
        match passing.passed_to(call, value, self.file, is_function=not held.path):
            case Passed.RETURNED:
                self.pending.append(held._replace(node=call))
            case Passed.CALLED | Passed.CALLED_FOR_EACH as how:
                self.is_looped = self.is_looped or how is Passed.CALLED_FOR_EACH
                (self.handed if held.may_call else self.calls).append(call)
            case Passed.ON if (function := passing.plain_function(call, self.file)) is not None:
                self.handed.append(call)
                self._enter_function(function, call, held)
            case Passed.ON if held.may_call and passing.is_compiled_for_object(call, self.owners, self.file):
                pass  # and belongs to the object
            case Passed.ON if not held.path and value in call.args[:1] and passing.compiles(call, self.file):
                self.is_compiled_in = True
                self.pending.append(held._replace(node=call))
            case Passed.ON if isinstance(value, Expression) and not held.may_call:
                self.give(call, value, held)
            case Passed.ON if isinstance(value, Expression):
                self.hold_in(call, step_in_call(call, value, self.file), held)
            case Passed.ON:
                self.leaves = True

    def _enter_function(self, function: FuncDef, call: CallExpr, held: Held) -> None:
        given = named_arguments(call, [argument.variable.name for argument in function.arguments])
        variables = [item.variable for item in function.arguments if given.get(item.variable.name) is held.node]
        self.leaves = self.leaves or not variables
        self.is_looped = self.is_looped or passing.calls_itself(function, self.file)
        for variable in variables:
            self.use((variable,), function, (), held)

    # Parts of what holds the value

    def _read(self, read: MemberExpr, held: Held) -> None:
        """One attribute."""
        path = held.path
        if read in passing.targets_in(self.file, None):
            return  # it gets another value
        if not path or path == (COMPILED,):
            self._lower(read, held)
        elif (owner := path[0].owner) is None:
            self._look_up(read, held)
        elif (rest := below(path, Step(read.name, owner))) is not None:
            self.pending.append(held._replace(node=read, path=rest))
        elif read.name in passing.function_attributes(self.file, owner):
            self.pending.append(Held(read, may_call=True))
        else:
            self._enter_member(read.name, owner, read, held)

    def _look_up(self, read: MemberExpr, held: Held) -> None:
        """`functions.get("step")`."""
        call = passing.call_of(read, self.file)
        if call is not None and read.name == "get" and call.args:
            self._take(call, item_at(call.args[0]), held)
        elif call is not None and passing.list_appended_to(call, self.file) is not None:
            pass  # another one
        elif call is not None and read.name in _OF_DICTS:
            self.pending.append(Held(call, numbered(1, held.path) if read.name == "items" else held.path))
        else:
            self.leaves = True

    def _take(self, read: Expression, step: Step, held: Held) -> None:
        """One item."""
        if read in passing.targets_in(self.file, None):
            return
        rest = below(held.path, step) if held.path else None
        self.leaves = self.leaves or not held.path
        self.pending += [Held(read, rest)] if rest is not None else []

    def _lower(self, read: MemberExpr, held: Held) -> None:
        """`jax.jit(f).lower(x).compile()(x)` is kept nowhere either.

        Who names a step of it knows that this compiles, and mostly measures how long it takes.
        """
        call, is_lowered = passing.call_of(read, self.file), bool(held.path)
        parent = surroundings(call, self.file).parent if call is not None else None
        if call is not None and read.name in LOWERING and not held.may_call and isinstance(parent, MemberExpr):
            self.pending.append(Held(call, (COMPILED,)))
        elif call is not None and read.name == "compile" and is_lowered and isinstance(parent, (CallExpr, ReturnStmt)):
            self.pending.append(Held(call))
        else:
            self.leaves = True

    # Objects that hold the value

    def hold_in(self, holder: Expression, step: Step | None, held: Held) -> None:
        super().hold_in(holder, step, held)
        if step is not None and step.owner is not None:
            self.construct((step, *held.path))

    def construct(self, path: Path) -> None:
        """Follows an object through the code that makes it."""
        owner = path[0].owner if path else None
        for name in CONSTRUCTORS if owner is not None else ():
            symbol = owner.names.get(name) if owner is not None else None
            if symbol is not None and isinstance(symbol.node, FuncDef) and not symbol.plugin_generated:
                self._enter(symbol.node, path)

    def _enter_member(self, name: str, owner: TypeInfo, use: Node, held: Held) -> None:
        """Follows an object into a method or property; any other attribute of it does not hold the value."""
        member = passing.member(owner, name)
        if member.method is None:
            self.leaves = self.leaves or not member.is_data
            return
        call = use if isinstance(use, CallExpr) else passing.call_of(use, self.file)
        if call is not None or member.method.is_property:
            self.handed.append(call or use)
        else:
            self.pending.append(Held(use, may_call=True))
        self._enter(member.method, held.path)

    def _enter(self, function: FuncDef, path: Path) -> None:
        entered = Held(function, path)
        if entered in self.seen:
            return
        self.seen.add(entered)
        variable = self_parameter(function)
        nodes = nodes_below(function.body)
        is_lazy = function.is_generator or function.is_coroutine
        calls_base = has_bases(function.info) and any(isinstance(node, SuperExpr) for node in nodes)
        if variable is None or is_lazy or calls_base:
            self.leaves = True
            return
        has_loop = any(isinstance(node, (ForStmt, WhileStmt)) for node in nodes)
        self.is_looped = self.is_looped or has_loop or passing.calls_itself(function, self.file)
        self.use((variable,), function, (), entered)
