"""What mypy's trees say of a checked program.

trees  checks a program so that its trees can be looked at
sites  what was read of each place that compiles a function
"""
