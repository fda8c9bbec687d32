"""Edit histories of small programs, checked in every mode of mypy: all modes must report the same about each state.

    grammar        a kind of declaration: a text with features and references
    classes, functions → vocabulary   all kinds
    model          a program: modules, declarations, imports; a history: its states
    rendering      a program → files
    generation     random programs
    edits          random edits
    visits         many histories → a source tree for each run of mypy, and its output → the reports about each
    checking       the modes (daemon, daemon_child: mypy's daemon)
    disagreements  a mode against the cold run, and plain mypy's own disagreements
    shrinking      the smallest history that still shows one
    kind           all of it as a kind of case of `tests.fuzz`

`stubs` replaces the libraries, with what programs use of them and what the checker looks for.
"""
