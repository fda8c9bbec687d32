"""What a class is, with the verdict for the roles that it plays."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mypy.nodes import MypyFile, TypeInfo
from mypy.typevars import fill_typevars

from jaxtyped_static_mypy.classes import class_model
from jaxtyped_static_mypy.markers.marker import without_marker
from jaxtyped_static_mypy.syntax.describing import describe

from .classes import Member, declared, members_of
from .holding import classes_in
from .model import Class, Field, Function, Reason, Role, Use
from .program import Program
from .roles import UseKey
from .verdicts import UNTRACEABLE, reason_untraceable, reasons_of_class, reasons_of_field, survey_of


@dataclass(frozen=True, eq=False)
class Describing:
    """Describes classes. `uses`: of each, why it plays its roles."""

    program: Program
    uses: Mapping[TypeInfo, Mapping[UseKey, Use]]
    functions: Sequence[Function]

    def whole(self, info: TypeInfo) -> Class:
        settings = self.program.settings
        uses = tuple(self.uses[info].values())
        fields = tuple(self._field(member, info) for member in members_of(info, settings))
        reasons = dict.fromkeys(self._reasons(info, uses, fields))
        identifier = self.program.id_of(info)
        name, place = identifier.partition("::")[2], self.program.place(info.module_name, info.line)
        bases = tuple(self.program.id_of(base.type) for base in info.bases if self.program.is_own(base.type))
        return Class(identifier, name, place, declared(info, settings), uses, tuple(reasons), fields, bases)

    def _field(self, member: Member, info: TypeInfo) -> Field:
        reasons: tuple[Reason, ...] = ()
        if member.type is not None and member.role is Role.STATIC and member.is_judged:
            is_hashed = class_model.hashes_static_fields(info, self.program.settings.static_bases)
            reasons = reasons_of_field(member.type, self.program.settings, is_hashed=is_hashed)
        held = classes_in(member.type, self.program.is_own)
        shown = describe(without_marker(member.type)) if member.type is not None else "no annotation"
        return Field(member.name, shown, member.role, reasons, tuple(map(self.program.id_of, held)))

    def _reasons(self, info: TypeInfo, uses: Sequence[Use], fields: Sequence[Field]) -> Iterator[Reason]:
        static = [use for use in uses if use.role is Role.STATIC]
        if static:
            yield from reasons_of_class(info, self.program.settings, is_hashed=any(map(self._hashes, static)))
        if any(use.role is Role.DYNAMIC for use in uses):
            for field in fields:
                yield from (reason._replace(path=f".{field.name}{reason.path}") for reason in field.reasons)
            if any((use.owner, use.name) in self._untraceable for use in uses):
                yield from self._obstacle(info)

    def _obstacle(self, info: TypeInfo) -> Iterator[Reason]:
        survey = survey_of(self._modules[info.module_name], frozenset(self.program.classes), self.program.settings)
        reason = reason_untraceable(fill_typevars(info), survey)
        if reason is not None and not reason.path:
            yield reason

    def _hashes(self, use: Use) -> bool:
        """Whether a static use hashes the object: of the static fields of a pytree, JAX only compares the values."""
        owner = self._by_id.get(use.owner) if use.kind == "field" else None
        return owner is None or class_model.hashes_static_fields(owner, self.program.settings.static_bases)

    @cached_property
    def _untraceable(self) -> set[tuple[str, str]]:
        """The parameters that cannot be traced: function and name."""
        return {
            (function.id, parameter.name)
            for function in self.functions
            for parameter in function.parameters
            if any(reason.code in UNTRACEABLE for reason in parameter.reasons)
        }

    @cached_property
    def _by_id(self) -> dict[str, TypeInfo]:
        return {self.program.id_of(info): info for info in self.uses}

    @cached_property
    def _modules(self) -> dict[str, MypyFile]:
        return {tree.fullname: tree for tree in self.program.trees}
