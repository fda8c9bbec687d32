"""What the source of a class declares and mypy does not keep: read from its syntax while a module is analysed.

class_facts            all facts of a class, and where they are kept
class_body             the statements that facts are read from
field_facts            the options of fields
method_facts           which attributes methods assign; what can change in an enum
registration_facts     calls that register classes
foreign_registrations  calls that register classes of other modules
set_facts              which attributes constructors set, themselves or through methods
updating_facts         which methods of an NNX module add to their object on every call
constructor_facts      which arguments methods pass on to a constructor
flatten_facts          which attributes a flatten function returns; flatten_expressions, flatten_values: symbolically
equality_facts         what `__eq__` reads
self_facts             which attributes of `self` each method reads and assigns
left_out               which it reads only where a parameter is left out, and which parameters its calls give
array_facts            which attributes constructors set to arrays
cache_facts            which methods are cached
clearing_facts         which attributes methods clear
rebound_facts          which attributes are set to containers of several kinds
identity_facts         what `__eq__` and `__hash__` use unconverted
sentinel_facts         whether its objects are sentinels
shown_facts            which attributes only its text shows
derivation_facts       what `__init__` computes attributes from
helpers                which library's functions declare a class, through the program's own helpers
functions/             what these helpers do with the function or class that they are given
"""
