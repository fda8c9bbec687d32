"""Assignments inside traced functions to objects that they did not make.

access_paths  which object an expression refers to: a part of a parameter, or of what a variable outside holds
leaks         whether a value may hold a tracer
clearing      whether a trace takes back what it stored
caches        caches by hand in what traced code calls
refs          mutable arrays
refused       assignments that a frozen pytree refuses
later_uses    whether a function uses what it has changed
set_first     objects of the module that functions use as scratch paper
shared        containers that all objects of a class share
used_up       objects that a function makes for one trace
updated_arrays arrays that `+=` makes tracers of
finding       all of it, for one outermost function
effects       calls that store something: of methods, in their own object
updating_calls calls of a library that update one of its objects
lifted_calls  calls that hand an object to what a library makes of a function
own_updates   calls of methods of the program that update their NNX module
storing_calls the same of functions, in objects of a module, or those that they are given
methods       methods of a pytree class that assign to `self`
draws         random numbers that a compiled function draws once, and the time
generators    those of a generator that lives longer than the trace
outcomes      whether what is drawn has any effect
reached       the functions that a compiled function runs
callbacks     callbacks that compiled code leaves out
counted       what it counts up outside of itself, and computes with
iterators     items that a compiled function takes once
guards        attributes that nothing reads but what raises
attributes    assignments to the attributes of a class that is to be frozen
containers    changes of a list, dict or set that is to become immutable
orders        whether the file shows that such an assignment is not lost
"""

from ...source.nested_functions import read_functions as read_functions
from .attributes import Assigned as Assigned
from .attributes import assignments_to as assignments_to
from .callbacks import removed_callbacks as removed_callbacks
from .containers import ContainerChange as ContainerChange
from .containers import Holder as Holder
from .containers import PassedValue as PassedValue
from .containers import certain_changes as certain_changes
from .containers import container_changes as container_changes
from .containers import is_changed_after as is_changed_after
from .containers import names_changed as names_changed
from .containers import passed_at as passed_at
from .containers import passed_to_field as passed_to_field
from .counted import counted_once as counted_once
from .draws import drawn_numbers as drawn_numbers
from .finding import Mutation as Mutation
from .finding import Outcome as Outcome
from .finding import find_mutations as find_mutations
from .iterators import advanced_iterators as advanced_iterators
from .methods import lost_assignments as lost_assignments
from .methods import refused_assignments as refused_assignments
from .refused import may_be_refused as may_be_refused
from .refused import refusing_class as refusing_class
