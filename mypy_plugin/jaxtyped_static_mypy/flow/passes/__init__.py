"""Finds values that change with each pass of a loop.

changing  follows an argument to what makes it change: a counter, or a variable that the loop updates
called    the same through a parameter, for which a loop passes another value on each pass
returned  what a function of the file returns that does nothing else
arrays    the same of numbers that are read from arrays
kinds     what a changing value is
growing   follows one to what gives it another shape: a bound that moves, or a list that gets longer
sized     the same of new arrays
collected the same of lists and dicts
selected  follows one to what makes it as long as its data says: a mask, or a number that is counted
data      which values are other data on each pass
loops     how many passes a loop makes
bounds    the same of one whose bound is a parameter, or has a name
iterated  what a loop goes over, below a progress bar
numbers   which values are numbers where mypy knows no types
"""

from .called import changing_by_calls as changing_by_calls
from .changing import changing_value as changing_value
from .growing import Growing as Growing
from .growing import growing_array as growing_array
from .growing import growing_by_calls as growing_by_calls
from .kinds import Changing as Changing
from .kinds import ValueKind as ValueKind
from .selected import counted_number as counted_number
from .selected import selected_array as selected_array
