"""Which of mypy's hooks leads to which check.

early          hooks that run for every program
answers        the hooks by name, looked up without a step of Python
lookup         what a call is, by the name that mypy asks for; table: what answers for it
jit_calls      calls of jit, and of what they return; helper_calls: those through the program's own helpers
jitted         the checks of what jit is applied to; jitted_types: the type of the result
call_sites     what a call passes to static positions, and what that is made of
static_fields  class statements, and what `__init__` gives to static fields
markers        markers in annotations
redefined      functions that mypy leaves out, because their name is defined twice
bodies         the bodies of functions
availability   why nothing is checked; failures: how a fault of the plugin is contained
"""
