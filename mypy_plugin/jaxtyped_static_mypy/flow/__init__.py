"""What happens in function bodies.

checked_file    a file, with its indices; all else asks it
surroundings    the functions, loops and blocks around a node
bindings        what variables are bound to; arguments: what calls pass to parameters
declared_types  declared types of variables and results
reaching_jax    how JAX gets a function: by decorators, by calls; traced_calls: what such a call traces
traced/         which values must be tracers
changes/        which assignments are lost, or leak a tracer
fresh/          which callables are new each time
passes/         which values change with each pass of a loop
made            which displays and constructor calls a value is made of
"""
