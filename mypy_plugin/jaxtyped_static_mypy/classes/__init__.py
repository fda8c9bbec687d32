"""What a class is, by its facts and by what mypy keeps of it.

class_model      can it change
class_fields     what an instance holds
hashing          is it hashed by value
equality         what its `==` leaves out
derivation       attributes that others determine
roles            is it a pytree, or declared static
constructors     which parameters become static fields
field_defaults   what a field without an argument becomes
caches           methods whose results are kept
array_holders    whether values hold JAX arrays
"""
