"""Judges an enum: its members are singletons."""

from collections.abc import Iterator

from mypy.types import Instance

from ..classes import class_model
from ..classes.hashing import hashing
from ..classes.reasons import Fault, Reason
from ..facts.class_facts import facts_of
from ..syntax.describing import describe
from .class_walk import Path


def judge_enum(typ: Instance, path: Path) -> Iterator[Fault]:
    """Members are singletons, so equality does not matter; but they may be unhashable, or hold mutable values."""
    info, subject = typ.type, describe(typ)
    unhashed = hashing(info)
    if unhashed in (Reason.EQ_WITHOUT_HASH, Reason.HASH_IS_NONE):
        yield Fault(unhashed, path, subject, declared=info)
    for facts in map(facts_of, class_model.user_bases(info)):
        if names := facts.get("mutable_values"):
            yield Fault(Reason.MUTABLE_MEMBER, path, subject, names[0], info)
        if names := facts.get("assigned_later"):
            yield Fault(Reason.ASSIGNED_BY_METHOD, path, subject, names[0], info)
