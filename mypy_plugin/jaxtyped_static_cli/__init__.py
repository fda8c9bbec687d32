"""The command `jaxtyped-static`: checks a project, explains rules, and says what the checker sees.

main          the command line; exit codes
commands      one file a subcommand
interpreter   which Python the project uses
project       where a project begins, and which configuration file counts
configuration what mypy is told
files         the files to check; `exclusion`: those that a setting leaves out
ordinary      reads files that may be none; `limits`: of the time that what a checkout decides may take
modules       file -> the module that mypy takes it for
runs          runs mypy; its private API is in `compat`
findings      mypy's errors -> findings, one for each cause
inspection    checks a program so that mypy's trees can be looked at
sites         what was read of each compiled function
census        functions and classes, with the roles they play
migrating     lists of static parameters -> annotations, and the proof that they say the same
baseline      findings that are accepted for now
output        one file a format of `check`
saying        text from the checked code, in visible characters; `terminal`: consoles for it
sealing       keeps mypy's cache whole
"""
