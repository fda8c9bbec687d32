"""What is wrong with a type: as a static value, and as an argument that is traced.

judge            a type -> its faults as a static value
enums            those of an enum; known_classes: classes that a table knows, or that stubs declare
class_walk       the classes that a type holds, each judged once; which faults to report of those that hold arrays
immutable_forms  what to write in place of a mutable type
traceability     why JAX cannot trace the values of a type
"""
