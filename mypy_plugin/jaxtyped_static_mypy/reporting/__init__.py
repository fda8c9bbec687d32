"""How the plugin reports errors. Imports no rule: whoever reports passes the rules in.

actions     what fixes know messages by, and the advice that several rules give
messages    the text of an error: what is wrong, and what to do about it
finding     the same as data, in a note that only the command asks for
jit_sites   where what compiles a function is written, for fixes of its lists
switch      the error code by which it does
errors      reports an error and its notes: one for each position and code
positions   the static positions that errors are about
contract    faults against the static contract -> mypy's errors
evidence    lines that show why a class cannot be frozen, or a container made immutable, as it is
notes       notes below an error: text to copy, and where a class is declared
"""
