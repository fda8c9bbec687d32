"""What the source of a class declares and mypy does not keep: read from its syntax while a module is analysed.

class_facts          what is recorded of a class, and where it is kept
field_facts          the options of fields
method_facts         what methods assign, and what stands behind a cache
registration_facts   calls that register classes; foreign_registrations: those of other modules
flatten_facts        what a flatten function hands on
equality_facts       what `__eq__` and `__hash__` read
derivation_facts     what `__init__` computes attributes from
literals             values that can be read off the source
"""
