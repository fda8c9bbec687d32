"""What happens in function bodies.

declared_types  declared types of variables and results
reaching_jax    how JAX gets a function: by decorators, by calls; traced_calls: what such a call traces
traced/         which values must be tracers
changes/        which assignments are lost, or leak a tracer
fresh/          which callables are new each time
passes/         which values change with each pass of a loop
made            which displays and constructor calls a value is made of
"""
