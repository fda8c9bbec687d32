"""Which values are tracers inside functions that JAX traces.

A walk over the syntax of one function, with declared types only: what mypy infers depends on the order of checking.

    values, frame                 what is known of a value; where a walk is
    declared, parameters, uses    what declared types, and uses of a function, say of its parameters
    flow, expressions, calls      the walk; narrowing: what conditions tell
    results, derivatives          what functions of the file return, and what `value_and_grad` and its like do
    conversions, formats, shapes  what needs a concrete value: conversions, text, and what decides a shape
    analysis                      one outermost function with all that is nested in it
"""
