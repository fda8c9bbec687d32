"""What mypy reports, as findings: one for each cause.

causes      mypy's errors -> findings
effects     what mypy reports at one place, and which of these have one cause
callers     what every caller of a function does wrong is said at its parameter
program     what all modules of the program do with the objects of a class
places      where the whole program uses its functions and classes, and which it offers to other programs
running     how often the whole program runs a function
repetition  findings about what runs again, as the whole program shows it (repetition_told: what their notes say)
given       findings of parameters with a default, which a call in another file gives
options     code behind options that are off, and that nothing turns on
stale       changes that leave no old value behind (lives: what is compiled ends with the call that compiles it)
contradicted  declared types that the program contradicts (passed: what calls surely pass; shown: what nothing shows)
masked      what only a compiled form traces of which every call raises is no finding beside that
older_python  what a Python accepts that the project asks for is potential
one_call    arguments of one call that are not there are one finding
unreturned  what a call returns that raises is not dropped
relations   where relations lead: imports, bases, names for one another
made_with   what is made anew for each pytree of a class
rules       the rules that users name, and their pages
baseline    findings that are accepted for now
report      all that a check found, for the formats
"""
