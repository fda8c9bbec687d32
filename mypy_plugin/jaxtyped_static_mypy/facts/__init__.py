"""What the source of a class declares and mypy does not keep: read from its syntax while a module is analysed.

class_facts            all facts of a class, and where they are kept
class_body             the statements that facts are read from
field_facts            the options of fields
method_facts           which attributes methods assign
registration_facts     calls that register classes
foreign_registrations  calls that register classes of other modules
flatten_facts          which attributes a flatten function returns
equality_facts         what `__eq__` reads
identity_facts         what `__eq__` and `__hash__` use as it is
sentinel_facts         whether its objects are sentinels
derivation_facts       what `__init__` computes attributes from
enum_facts             what can change in an enum
"""
