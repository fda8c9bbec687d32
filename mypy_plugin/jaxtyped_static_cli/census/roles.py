"""The roles that classes play: given by parameters and arguments, and passed on to what their objects hold."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mypy.nodes import TypeInfo

from jaxtyped_static_mypy.classes import class_model
from jaxtyped_static_mypy.config.settings import Settings

from .classes import declared, members_of, role_in
from .holding import classes_in
from .model import Role, Use

UseKey = tuple[Role, str, str, str]


@dataclass
class Roles:
    """Collects why each class plays a role. Each reason is kept once, at the first place."""

    settings: Settings
    is_own: Callable[[TypeInfo], bool]
    id_of: Callable[[TypeInfo], str]
    heirs: Mapping[TypeInfo, Sequence[TypeInfo]]  # the classes below each
    uses: dict[TypeInfo, dict[UseKey, Use]] = field(default_factory=dict)
    _pending: list[tuple[TypeInfo, Role]] = field(default_factory=list)

    def declare(self, info: TypeInfo) -> None:
        """A class that is declared static or a pytree plays that role if nothing else is known."""
        if kind := declared(info, self.settings):
            self.add([info], Use(Role.STATIC if kind == "static class" else Role.DYNAMIC, "declaration"))

    def add(self, infos: Iterable[TypeInfo], use: Use) -> None:
        for info in infos:
            is_static = use.role is Role.DYNAMIC and class_model.is_passed_as_is(info)  # a pytree without leaves
            own = use._replace(role=Role.STATIC) if is_static else use
            known = self.uses.setdefault(info, {})
            if all(other.role is not own.role for other in known.values()):
                self._pending.append((info, own.role))
            known.setdefault((own.role, own.kind, own.owner, own.name), own)

    def spread(self) -> None:
        """Passes roles on: to what fields hold, and to the classes below.

        Below a static class that is not abstract, a class may well be used for something else.
        """
        while self._pending:
            info, role = self._pending.pop(0)
            for member in members_of(info, self.settings):
                if (passed := role_in(info, member, role)) is not None:
                    held = classes_in(member.type, self.is_own)
                    self.add(held, Use(passed, "field", self.id_of(info), member.name))
            if role is Role.DYNAMIC or class_model.is_abstract(info):
                self.add(self.heirs.get(info, ()), Use(role, "subclass", self.id_of(info)))
