"""The command `jaxtyped-static`: checks a project, explains rules, and says what the checker sees.

main      the command line; exit codes
reported  what a check reports, as data, for editors

Each package imports only from those below it:

commands    one file a subcommand
output      one file a format of `check`
migrating   lists of static parameters -> annotations, and the proof that they say the same
fixes       what `check --fix` changes
doctor      what hides a project from the checker
census      functions and classes, with the roles they play
editing     files, their nodes and imports, and edits
inspection  what mypy's trees say of a program
findings    mypy's errors -> findings, one for each cause
mypy_runs   runs mypy on any project
cache       mypy's cache, kept whole, and kept from others
compat      mypy's private API
project     a project, and the Python that it uses
files       files on the disk
terminal    what is said to people
"""
