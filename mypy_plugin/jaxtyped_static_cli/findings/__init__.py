"""What mypy reports, as findings: one for each cause.

causes      mypy's errors -> findings
effects     what mypy reports at one place, and which of these have one cause
callers     what every caller of a function does wrong is said at its parameter
program     what all modules of the program do with the objects of a class
places      where the whole program uses its functions and classes, and which it offers to other programs
running     how often the whole program runs a function
repetition  findings about what runs again, as the whole program shows it (repetition_told: what their notes say)
contradicted  declared types that the program contradicts (passed: what calls surely pass; shown: what nothing shows)
masked      what only a compiled form traces of which every call raises is no finding beside that
older_python  what a Python accepts that the project asks for is potential
unreturned  what a call returns that raises is not dropped
relations   where relations lead: imports, bases, names for one another
made_with   what is made anew for each pytree of a class
rules       the rules that users name, and their pages
baseline    findings that are accepted for now
report      all that a check found, for the formats
"""
