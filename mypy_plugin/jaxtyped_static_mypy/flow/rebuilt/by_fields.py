"""Dataclasses that JAX, or a library, rebuilds by their constructor, which gets each field by its name."""

from collections.abc import Iterator

from mypy.nodes import ClassDef, TypeInfo

from ...classes import class_model
from ...source.checked_file import CheckedFile
from ..traced.rebuilding import is_rebuilt_by_constructor
from .again import changed_fields
from .constructor import parameters_of, problem_of_names
from .faults import Fault, Found
from .registered import maker_of


def dataclasses_in(file: CheckedFile) -> Iterator[TypeInfo]:
    """Those that the file defines."""
    for node in file.by_kind.of(ClassDef):
        if node.info and class_model.declaration_of(node.info) is not None and is_rebuilt_by_constructor(node.info):
            yield node.info


def faults_of_dataclass(info: TypeInfo, file: CheckedFile) -> Iterator[Found]:
    """What its own constructor does with the fields: it raises, or changes them once more."""
    maker = maker_of(info, file)
    if maker is None or class_model.is_abstract(info):
        return
    fields = [field.name for field in class_model.fields(info) if field.in_init]
    parameters = parameters_of(info) if maker.name == "__init__" and maker.info is info else None
    problem = problem_of_names(fields, parameters) if parameters is not None else ""
    if problem:
        yield Found(Fault.OWN_INIT, maker, {"cls": info.name, "problem": problem})
    else:
        yield from changed_fields(info, maker, {name: name for name in fields}, ())
