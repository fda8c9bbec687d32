"""The file that mypy is checking, by its syntax and the symbols in it. All rules about code ask these modules.

Some of them also read files that mypy has only parsed.

checked_file      one check of one file, with indices of its nodes, names and decorators
bindings          what names are bound to
local_bindings    the bindings that one use of a local name may see
functions         the functions around a line
named_lambdas     lambdas that one assignment names, and the uses of these names
parameters        the parameters of a function
nested_functions  an outermost function with those nested in it, and their variables
surroundings      the functions, loops and blocks around a node
expected          code whose exceptions something around it catches
once              code that shows by itself that it runs once
starting          what a program starts with
handing           what is done with a function that is named and not called
in_turn           functions that the source lists for one loop
"""
