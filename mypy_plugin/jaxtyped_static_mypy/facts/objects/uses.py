"""What a module does with objects: the form in which it is found, and kept."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from ..self_facts import TRUTH
from .conditions import Condition, Given

ANY_ATTRIBUTE: Final = "*"  # set by a name that is not written out: `setattr(config, name, value)`
ALL_PARTS: Final = "*"  # of a new object: `Config(0.1)`
METHOD: Final = "()"  # behind the name of a method, where names of attributes stand too
NO_METHOD: Final = "."  # behind the name of an attribute of which an attribute is read
OR: Final = "|"  # between what something may stand for
PARAMETER: Final = "@"  # in front of the name of one, behind its function: `app.run@model`
ITEM: Final = "#"  # in front of the place of one, behind the function that returns it: `app.make#0`
UNKNOWN: Final = ""  # an object of which the syntax does not show what it is


class How(StrEnum):
    """How a statement changes an object."""

    ASSIGNED = "assigned"
    DELETED = "deleted"
    FORCED = "forced"  # by `object.__setattr__` or through `__dict__`
    ITEM = "item"  # of what the attribute holds: `config.sizes[0] = 1`
    METHOD = "method"  # of what it holds: `config.sizes.append(1)`


REFUSED_WHEN_FROZEN: Final = frozenset({How.ASSIGNED, How.DELETED})
IN_PLACE: Final = frozenset({How.ITEM, How.METHOD})


class Change(NamedTuple):
    """A statement that changes an attribute of an object, or what it holds, after the object was made."""

    owner: str  # what has the attribute, as `resolving` reads it: `app.Config()`, or UNKNOWN
    attribute: str
    how: How
    where: str  # the function around it, with those and the classes around that; empty at module level
    compiles_again: bool  # the same function compiles something: what changes is compiled in anew
    gives: tuple[str, ...]  # the parts to which the new value gives values by their names: `state.replace(step=0)`
    is_of_set_up: bool  # what sets something up makes it, by the names in the module: before JAX compiles anything
    is_same: bool  # it gives the constant that the attribute always has
    is_updated: bool  # it gives what a call returns that gets the old value: `self.state = step(self.state)`
    line: int
    may_be: str = ""  # what has the attribute, as `several` reads it, if that says more

    @property
    def is_refused_when_frozen(self) -> bool:
        return self.how in REFUSED_WHEN_FROZEN

    def concerns(self, attributes: Collection[str]) -> bool:
        """Whether it changes one of these attributes or methods, or gives a new value to a part of one: `config.dt`.

        An update of a value is as true as that was. None of them: which they are is not known.
        """
        if self.attribute == ANY_ATTRIBUTE:
            return not attributes or not all(name.endswith(METHOD) for name in attributes)
        if self.attribute in attributes or f"{self.attribute}{METHOD}" in attributes:
            return True
        if f"{self.attribute}.{TRUTH}" in attributes and not self.is_updated:
            return True
        if ALL_PARTS in self.gives:
            return any(name.startswith(f"{self.attribute}.") for name in attributes)
        return any(f"{self.attribute}.{part}" in attributes for part in self.gives)


class Use(NamedTuple):
    """A place that calls something that the module defines or imports, or hands it on. A call of a class makes one."""

    what: str  # as `resolving` reads it: `app.Config`; `.step` for that of an object which the syntax does not show
    where: str  # the function around it, as of a change
    line: int
    is_call: bool
    is_repeated: bool = False  # a loop or comprehension of the same function runs it, or the host does
    is_once: bool = False  # it runs once whoever calls that function
    is_compiled: bool = False  # it hands the function to JAX, which calls it in a trace
    is_traced: bool = False  # it stands in a lambda that JAX compiles
    to: str = ""  # what it hands the function to, if a note can spell that out
    takes_constants: bool = False  # it calls with nothing but values that the source gives
    is_staged: bool = False  # what calls it traces it: `jax.checkpoint(f)(x)`
    is_batched: bool = False  # what calls it gives it one item of a batch: `jax.vmap(f)(xs)`
    is_apart: bool = False  # a loop runs it, of which each pass is for itself
    are_experiments: bool = False  # a loop runs it, of which each pass is one, or that has only a few
    compiles_anyway: bool = False  # on each pass of a loop, by what that gives to it
    returned: int | None = None  # the function around returns it, at this place of its result
    called_once: tuple[int, ...] = ()  # the places of its result at which the code around calls that, outside of loops
    varies: tuple[tuple[int | str, ...], ...] = ()  # the arguments that are other code or a size, for each loop
    is_listed: bool = False  # it is put into a dict, from which others may choose it
    is_alias: bool = False  # it is given another name: `flip = augment.flip`
    needs: tuple[Condition, ...] = ()  # without which the function around it does not get there
    passed: tuple[Given, ...] | None = None  # in a call; None if the source hides it
    may_be: str = ""  # what it calls, as `several` reads it, if that says more
    gives: tuple[tuple[int | str, str], ...] = ()  # the objects that it passes, by the positions or names of parameters
    ends_with_pass: bool = False  # a loop runs it, and nothing keeps what it makes for another pass
    makes_other_code: bool = False  # a loop runs it, of which each pass makes other code of what it gets
    is_made_for_others: bool = False  # it is all that a lambda does which another call gets
    is_building: bool = False  # it calls a method where its object has just been made
    is_dropped: bool = False  # it makes an object, of which the code around only calls methods, outside of loops


class Function(NamedTuple):
    """A function that the module defines."""

    line: int
    cls: str = ""  # the class that it is a method of, named as the function
    decorators: frozenset[str] = frozenset()  # their full names
    is_of_host: bool = False  # it calls what nobody traces
    learns: bool = False  # it follows gradients
    loops: bool = False  # in Python or in JAX
    parameters: tuple[Given, ...] = ()  # by name, with their defaults
    makes_functions: bool = False  # and returns nothing else
    compiles_in: tuple[str, ...] = ()  # the parameters for each value of which it compiles
    is_handler: bool = False  # a server calls it for each request: `@app.post("/run")`
    is_replaced: bool = False  # its class sets an attribute of its name: `self.step = jax.jit(self.step)`
    compiles_argument: bool = False  # its first one: `def fast(f): return jax.jit(f)`


class ModuleUses(NamedTuple):
    """What one module does with objects, and what it takes to know which objects these are."""

    module: str
    changes: tuple[Change, ...] = ()
    bases: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # of each class: `app.Config`
    declared: Mapping[str, str] = MappingProxyType({})  # what an annotated attribute holds: `Trainer.config`
    inferred: Mapping[str, str] = MappingProxyType({})  # the same, by the values that it is set to
    results: Mapping[str, str] = MappingProxyType({})  # what a function is declared to return
    names: Mapping[str, str] = MappingProxyType({})  # what a variable, or an imported name, stands for
    stars: tuple[str, ...] = ()  # the modules of which all names are imported
    functions: Mapping[str, Function] = MappingProxyType({})  # nested ones, too
    uses: tuple[Use, ...] = ()  # of functions and classes
    is_script: bool = False  # it starts itself, and calls nothing by a name that is made at run time
    imports: frozenset[str] = frozenset()  # modules, and what is imported from them
    reads: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # all that `total` does with its `state`: `total.state`
    unknown: frozenset[str] = frozenset()  # the attributes that it reads of objects not shown by the syntax
    several: Mapping[str, str] = MappingProxyType({})  # what things may stand for of which the others do not say it all
