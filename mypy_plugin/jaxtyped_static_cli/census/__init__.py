"""The census of a program: its compiled functions and classes, the roles they play, and why.

model      what a census says, without mypy's objects
program    the checked program: which files are its own
verdicts   the plugin's judgement of types, in words
holding    the classes of the program that values of a type hold
classes    what each class holds, and what that is for
functions  the compiled functions, and their parameters
callees    which compiled function an expression stands for
calls      where they are called, and with what
roles      the roles that classes play, passed on from what holds them
describing what a class is, with its verdict
collect    all of this: a checked program -> its census; joins those of several programs
selection  a part of a census
text, details, styles    for people
json_      for programs
html       a page for browsers; its parts are in `page/`
"""
