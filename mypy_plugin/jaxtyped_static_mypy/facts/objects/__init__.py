"""What the code of a module does with objects, read from its syntax: where it changes and makes them.

- `uses`: the form of what is found
- `bodies`: the functions of a module, each with its own nodes and what its names are bound to
- `owners`: what an expression or an annotation stands for, as a text: `app.Config().solver` for `config.solver`
- `several`: what it may stand for, one or the other, as the whole program shows
- `building`: whether an object is still only in the hands of the function that makes it
- `updating`: attributes that get what a call returns which gets their old value
- `making`: the methods that only run while their object is made
- `defining`: the functions
- `calling`: where they are called or handed on
- `module_uses`: all of it, for one module; `all_uses`: with what only the command asks for
- `keeping`: keeps what other modules may ask in the module, and finds it again
- `resolving`: the class that such a text means, in a program

The syntax alone is read, so that the answer is the same in every mode of mypy, and for a file that mypy takes from its
cache.
"""
