"""Which values are tracers inside functions that JAX traces.

A walk over the syntax of one function, with declared types only: what mypy infers depends on the order of checking.

    values, joining, frame        what is known of a value; of several, where paths join; where a walk is
    declared, parameters, given   what declared types, and uses of a function, say of its parameters
    displayed                     the structure of what control flow passes, where its call writes it out
    statements, loops             the walk over statements, and over the body of a loop until nothing changes
    expressions, reading          the walk over expressions; what attributes, indices and comparisons give
    narrowing, telling            what conditions tell
    calls, results, derivatives   what calls return, of JAX, of the file, and of `value_and_grad` and its like
    called_objects                what runs where an object is called: `model(x)`
    known_results                 those of the functions of Python and JAX
    custom_rules                  what the rules of `custom_jvp` and its like get
    called_back                   what SciPy converts of what a function returns that it calls
    iterating                     what `map`, `filter` and `reduce` pass to a function
    masks                         which calls make boolean arrays
    conversions, shapes           what needs a concrete value: conversions, text, and what decides a shape
    containers, type_tests        indices, hashes and items; `isinstance(x, float)`
    host_arrays, host_tables      what NumPy does with tracers; which expressions are its arrays
    elsewhere                     what functions of other modules ask of what they are given
    objects, made_objects         of which class objects are, and what new ones hold
    items, own_containers         what is known of a container, also after a function changed it
    overridden                    methods that no object has which the file makes
    aliased                       containers that are changed by another name, of which nothing is known
    analysis                      one outermost function with all that is nested in it
"""
