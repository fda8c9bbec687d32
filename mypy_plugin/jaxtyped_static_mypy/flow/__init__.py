"""What happens in function bodies.

declared_types  declared types of variables and results
traced/         which values must be tracers
changes/        which assignments are lost, or leak a tracer
kept_state/     which state a compiled function keeps, though the program changes it between its calls
dropped         which statements drop the changed copy that they make
only_returning  which methods do nothing but return a value
fresh/          which callables are new each time
passes/         which values change with each pass of a loop
made            which displays and constructor calls a value is made of
unpacked        which items of a dict a call unpacks
elements        which names are bound to elements of arrays
function_fields which fields of pytrees the file fills with plain functions
cached_functions  which caches of functions a trace fills with a tracer
captured        what traced code reads of objects that it captures
compiled_calls  which compiled calls get a new object
crossing        where JAX takes objects apart and builds new ones
rebound         the type of a value whose name had another type before
traced_reads    which attributes traced code reads
"""
