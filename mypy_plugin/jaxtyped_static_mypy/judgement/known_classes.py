"""Classes of which a table knows how their values behave, and those that are declared in stubs alone."""

import sys

from mypy.nodes import TypeInfo

from ..knowledge.jax_types import UNREAD_PACKAGES
from ..knowledge.type_rows import AsKey
from ..libraries import KEY_TYPES


def known_base(info: TypeInfo) -> TypeInfo | None:
    """The class, or its nearest base, in the table of known types; skips abstract bases."""
    for base in info.mro:
        known = KEY_TYPES.get(base.fullname)
        if known is not None and (base is info or known.key is not AsKey.ABSTRACT):
            return base
    return None


def is_unread(info: TypeInfo) -> bool:
    """Whether only a stub declares the class: stubs leave out what makes values immutable or hashes them."""
    return package_of(info) in UNREAD_PACKAGES or package_of(info) in sys.stdlib_module_names


def package_of(info: TypeInfo) -> str:
    return info.module_name.partition(".")[0]
