"""Finds values that change with each pass of a loop.

values  follows an argument to what makes it change: a counter, or a variable that the loop updates
loops   how many passes a loop makes
"""

from .values import Changing as Changing
from .values import ValueKind as ValueKind
from .values import changing_value as changing_value
