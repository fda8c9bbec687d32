"""What a class is, by its facts and by what mypy keeps of it.

class_model      whether it can change
class_fields     what an instance holds
hashing          whether it is hashed by value
equality         what its `==` leaves out
identity         which fields its own `==` and hash convert first, so that they may be arrays
derivation       which attributes others determine
roles            whether it is a pytree, or declared static
constructors     which parameters become static fields
field_defaults   the defaults of fields
self_uses        which attributes its methods read and assign
added_attributes which attributes its constructors set that are neither fields nor caches
memos            which private attributes are filled when they are first needed
caches           which methods are cached
clearing         which attributes methods clear
held_classes     which classes values consist of
signing          whether it declares the static contract
array_holders    whether values hold JAX arrays
untraced         whether no value can be traced
registering      how to make it a pytree
copying          how to copy it with changes
reasons          why a value breaks the static contract: the words of the judgement and the rules
"""
