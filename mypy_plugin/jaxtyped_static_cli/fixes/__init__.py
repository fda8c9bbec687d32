"""Fixes: what `check --fix` changes. The plugin judges; a fix writes what its messages and notes propose.

table              all fixes, and when each is safe
proposals          what a fix proposes, and what it knows of the program
everywhere         mends each place of a finding that has several
rounds             applies fixes, checks again, and undoes those that do not help
results            what a check found, before and after
uncovering         whether what is new after a fix was only hidden before
running            writes the files, or shows the difference
static_lists, ...  one file for what is edited; each function is a kind of fix
"""
