"""Words by which the command's fixes know what to do: the rules write them, and `reading` finds them in a message.

A placeholder's value must not contain ", or ", which separates the alternatives of an advice.
"""

from typing import Final

# The lists of a jit call
TAKE_OFF: Final = "take it off {lists}"
OFF_THE_LIST: Final = TAKE_OFF.format(lists="the list")
COUNTED: Final = '{option} counts "{receiver}", so write {lists}'
NO_SUCH_POSITION: Final = "position {number}, which {option} lists, does not exist: {subject} has {counted}"
LAST_POSITION: Final = "positions count from 0, so the last is {last}"
MARKED_DYNAMIC: Final = "{parameter} is annotated Dynamic and listed as static"
UNREAD_MARKER: Final = "{parameter} is annotated Static, which this jit does not read"
DYNAMIC_IN_CALL: Final = "{parameter} is dynamic in {call}: JAX infers nothing if both {nums} and {names} are given"

# Parameters and fields
MAKE_STATIC: Final = 'make "{parameter}" static'
MAKE_RECEIVER_STATIC: Final = "make {receiver} static ({static})"
UNMARK: Final = "remove Static, so that it is traced"
LEAVE_OUT: Final = "leave the array out of its type"
IS_ARRAY: Final = "{subject} is an array, which cannot be hashed"
SOME_CALLS: Final = "that passes one"
USE_INSTEAD: Final = "use {detail} instead"

# Classes
COMPARE_BY_VALUE: Final = "remove eq=False"
COMPARE_FIELD: Final = "remove compare=False (in attrs, eq=False)"

# Traced values
SELECT: Final = "select with jnp.where or jax.lax.cond"
KEEP_ARRAY: Final = "keep it an array (x.astype, jnp.asarray)"
USE_JAX_NUMPY: Final = "use jax.numpy"
PRINT_WHEN_RUN: Final = "use jax.debug.print or format the result of the jitted function"
USE_JNP: Final = "use jnp."
COMPARE_BY_HALVES: Final = "write (a < x) & (x < b)"
UNLESS_NONE: Final = "{problem} unless it is None"

# Functions that are made again and again
A_LAMBDA: Final = "a lambda"
NEW_EACH_PASS: Final = "{fresh} is new on every pass of the loop, so it is compiled on every pass"
JIT_AT_MODULE_LEVEL: Final = "jit a function defined at module level"
DEFINE_AT_MODULE_LEVEL: Final = "define a function at module level"
BIND_AT_MODULE_LEVEL: Final = "bind it to a name at module level"
