"""What mypy reports, as findings: one for each cause.

causes    mypy's errors -> findings
program   what all modules of the program do with the objects of a class
rules     the rules that users name, and their pages
baseline  findings that are accepted for now
report    all that a check found, for the formats
"""
