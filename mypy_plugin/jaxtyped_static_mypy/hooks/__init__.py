"""Which of mypy's hooks leads to which check.

early          hooks that run for every program; table: the others, by the name of a function
jitted         what jit is applied to; helper_calls: the same for the program's own helpers
call_sites     what a call passes to static positions; made_values: what that is made of
static_fields  class statements; initialisers: what `__init__` gives to static fields
markers        markers in annotations
bodies         the bodies of functions
availability   why nothing is checked; failures: how a fault of the plugin is contained
"""
