"""Runs mypy with the checker on any project.

preparation    what commands do before: find the files and JAX, prepare the cache
configuration  what mypy is told; `known_plugins`: the plugins that it may load
plugin         the checker, with the command's switches
modules        file -> the module that mypy takes it for
runs           files -> what mypy reports; without those that cannot be checked
diagnostics    mypy's errors, read from its JSON
read_programs  all that mypy has read, for what looks at it afterwards
whole_programs what the whole program shows besides
removed        those about names that JAX no longer has, as findings
weak           weak types that compiled code gets back strong, in the whole program
blindness      whether mypy saw JAX
"""
