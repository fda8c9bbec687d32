"""State that compiled functions read, and that the program changes between their calls.

slots    which state an expression means: variables, attributes, items, those of classes
reads    which state a compiled function reads
written  where the file changes it
events   the places that call the function or change the state, and the calls that lead there
values   values as texts, to see which of them are the same
replay   runs through a function body, or through the module
repeated functions that run again with other arguments
finding  what a compiled function keeps, though a later call would find another value
elsewhere what of modules it keeps, which other modules may change
"""

from .elsewhere import kept_of_modules as kept_of_modules
from .finding import kept_state as kept_state
