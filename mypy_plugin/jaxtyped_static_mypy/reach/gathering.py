"""Values that are held together with others, and taken one by one: a part of `lives`."""

from typing import Final

from mypy.nodes import CallExpr, DictionaryComprehension, Expression, GeneratorExpr, ListExpr, NameExpr, Node

from ..source.surroundings import surroundings
from . import passing
from .holders import Held, Holders
from .items import applied_to_each, item_of, path_through
from .parts import ANY_ITEM, Step, below, step_in_call

_MAX_PATH: Final = 8  # `a = Node(b)` and `b = Node(a)` in a loop hold each other


class Gathering(Holders):
    """Follows a value through lists, dicts and tuples, and the loops over them."""

    def give(self, call: CallExpr, value: Expression, held: Held) -> None:
        """What holds several values, to a call that takes them one by one, or anything to one that makes an object."""
        if (path := path_through(call, value, held.path)) is not None:
            self.pending.append(Held(call, path))
        elif (appended := passing.list_appended_to(call, self.file)) is not None:
            self.append(call, *appended, held)
        elif held.path and (applied := applied_to_each(call, value)) is not None:
            function, variable = applied
            rest = below(held.path, ANY_ITEM)
            self.leaves = self.leaves or rest is None
            self.use((variable,), function, (), held._replace(path=rest or ()))
        else:
            self.hold_in(call, step_in_call(call, value, self.file), held)

    def loop(self, loop: Node, target: Expression, held: Held) -> None:
        """`for f in functions`, `for name, f in functions.items()`."""
        item = item_of(target, held.path) if not held.may_call else None
        if item is None:
            self.leaves = True
        else:
            self.over.add(loop)
            self.bind(item[0], target, held._replace(path=item[1]))

    def comprehend(self, parent: GeneratorExpr | DictionaryComprehension, held: Held) -> None:
        """`[jax.jit(f) for f in functions]`, `sum(f(x) for f in functions)`."""
        node = held.node
        loops = zip(parent.sequences, parent.indices, strict=True)
        target = next((target for sequence, target in loops if sequence is node), None)
        if target is not None:
            self.loop(parent, target, held)
        elif node is (parent.left_expr if isinstance(parent, GeneratorExpr) else parent.value):
            self.collected.add(parent)
            self.hold_in(parent, ANY_ITEM, held)
        else:
            self.leaves = True

    def append(self, call: CallExpr, name: NameExpr, made: ListExpr, held: Held) -> None:
        """A list that a loop fills, with one item on each pass."""
        place = surroundings(call, self.file)
        self.collected.update(set(place.loops).difference(surroundings(made, self.file).loops))
        if name.node is not None:
            self.is_global = self.is_global or place.function is None
            self.use((name.node,), place.function, {name}, held._replace(path=(ANY_ITEM, *held.path)))

    def hold_in(self, holder: Expression, step: Step | None, held: Held) -> None:
        """`{"step": f}`, `(f, g)`, `Functions(step=f)`; an object may also hold a function that calls the value."""
        if step is None or (held.may_call and step.owner is None) or len(held.path) == _MAX_PATH:
            self.leaves = True
        else:
            self.pending.append(held._replace(node=holder, path=(step, *held.path)))
