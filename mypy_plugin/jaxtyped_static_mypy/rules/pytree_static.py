"""pytree-static: every field of a pytree is static, so it has no leaves, and should be a static class."""

from typing import Final

from mypy.nodes import MypyFile, TypeInfo

from ..classes import class_model
from ..classes.registering import knows_ours
from ..classes.roles import has_own_flatten
from ..libraries import LAYER_PACKAGES
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from . import CODES

CODE: Final = CODES["pytree-static"]

_PROBLEM: Final = '"{cls}" is a pytree without leaves: every field is static'
_MESSAGES: Final = {
    True: Message(_PROBLEM, "make it a @static_dataclass", kind="all-static"),
    False: Message(
        _PROBLEM,
        "make it a static class, with @jax.tree_util.register_static above @dataclass(frozen=True)",
        kind="all-static",
    ),
}


def check_class(info: TypeInfo, file: CheckedFile) -> None:
    """Reports on the `class` line, in strict mode: JAX allows such classes, and few of them do harm."""
    if not file.settings.strict or not class_model.is_pytree(info) or not _is_meant_to_hold_fields(info):
        return
    markers = file.settings.static_markers
    data = [field for field in class_model.data_fields(info) if not class_model.is_static(field, markers)]
    if not data and class_model.fields(info) and not _has_subclass(info, file.tree):
        report(file, info.defn, _MESSAGES[knows_ours(file.tree)].fill(cls=info.name), CODE)


def _is_meant_to_hold_fields(info: TypeInfo) -> bool:
    """Rules out base classes, whose subclasses may have data fields; layers and functions; and hand-written classes."""
    if class_model.is_abstract(info):
        return False
    if any(base.fullname.startswith(LAYER_PACKAGES) for base in info.mro) or info.get("__call__") is not None:
        return False
    is_generated = class_model.declaration_of(info) is not None and not has_own_flatten(info)
    return is_generated and class_model.knows_data_fields(info)


def _has_subclass(info: TypeInfo, file: MypyFile) -> bool:
    nodes = (symbol.node for symbol in file.names.values())
    return any(isinstance(node, TypeInfo) and node is not info and info in node.mro for node in nodes)
