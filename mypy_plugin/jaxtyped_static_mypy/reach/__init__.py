"""How functions reach JAX, and how often their code runs.

description    one function: all of this, as rules ask it
layers         what decorators and wrapping calls do with a function, through the program's own helpers
compiled       the type of the function that is compiled, below decorators that pass its calls on
traced_calls   how one call traces the function it is given
schedules      which functions optimisers keep, and where a file runs their updates
kept_functions the functions that a library keeps, and calls with tracers later
custom_rules   the rules that `custom_jvp` and its like take for a function
uses           who calls a function, and who hands it to JAX
repetition     the rule how often code runs, and why, for any program that says who calls what
runs           how often its code runs: again and again, once, or only in tests
file_program   a file as a program, for that rule
eager          the rule which code a program runs outside of jit, and how often
eager_runs     the same of one file
liveness       whether what a function makes never leaves it
lives          where a value goes that a function makes, and what calls it
holders        the names, attributes and items that hold a value, and their uses
passing        what the code around a value does with it
gathering      what is held together with others, and taken one by one
items          ways to one of several values, through loops and calls
parts          ways from a dict, a tuple or an object to what it holds
objects        where the file and its imports change objects of a class
roots          which functions are traced in an outermost function, for `flow/changes`
"""
