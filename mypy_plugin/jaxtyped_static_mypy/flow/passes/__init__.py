"""Values that change with each pass of a loop: values, by the expressions that make them; loops, by their passes."""

from .values import Changing as Changing
from .values import ValueKind as ValueKind
from .values import changing_value as changing_value
