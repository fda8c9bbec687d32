"""How the plugin reports errors. Imports no rule: whoever reports passes the rules in.

messages    the text of an error: what is wrong, and what to do about it
errors      reports an error: one for each position and code
positions   the static positions that errors are about
contract    faults against the static contract -> mypy's errors
notes       notes below an error: text to copy, and where a class is declared
reading     the same texts, read back by the command
"""
