import abc
import dataclasses
from collections.abc import Hashable
from typing import dataclass_transform

from equinox._module._field import field

@dataclass_transform(field_specifiers=(dataclasses.field, field))
class _ModuleMeta(abc.ABCMeta): ...

class Module(Hashable, metaclass=_ModuleMeta):
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
