"""Pairs the lists of a jit call with a signature of the function it compiles."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from mypy.nodes import Argument, Context, FuncDef
from mypy.types import CallableType

from .application import JitCall
from .signatures import CallForms, Signature, call_forms, decorated_arguments
from .sites import GivenList, parameters_listed
from .written_lists import WrittenLists, render_list


@dataclass(frozen=True)
class Listing:
    """One signature of a function, and the lists that a jit call gives for it."""

    call: JitCall
    written: WrittenLists
    signature: Signature
    arguments: list[Argument]  # the declared parameters, if the function is decorated
    context: Context
    function: str | None

    @property
    def subject(self) -> str:
        return f'"{self.function}"' if self.function is not None else "the function"

    @cached_property
    def forms(self) -> CallForms:
        return call_forms(self.signature)

    @cached_property
    def declared(self) -> dict[str, int]:
        """The positions of the declared parameters, by name."""
        return {argument.variable.name: index for index, argument in enumerate(self.arguments)}

    def context_of(self, index: int) -> Context:
        """Where to report a parameter: at its declaration, if a decorator compiles the function, else at the call."""
        return self.arguments[index] if self.arguments else self.context

    def name(self, index: int) -> str:
        name = self.signature.arg_names[index]
        return self.arguments[index].variable.name if self.arguments else name or str(index)

    def shown(self, index: int) -> str:
        """How errors refer to a parameter: by name, if known."""
        name = self.name(index)
        return f"parameter {name}" if name.isdigit() else f'"{name}"'

    def shown_option(self, option: str) -> str:
        """How errors refer to an option, which a wrapper of jit may have written."""
        return self.written.shown(option)

    def listed(self, lists: Iterable[GivenList]) -> list[int]:
        return parameters_listed(lists, self.signature)

    def is_receiver(self, index: int) -> bool:
        """Whether a parameter is `self` or `cls`, which is never passed by name."""
        return index == 0 and self.signature.arg_names[:1] in (["self"], ["cls"])

    def twin(self, option: str) -> str | None:
        """The option that lists by name what this one lists by number, or the other way round."""
        row = self.call.row
        pairs = ((row.names_option, row.nums_option), (row.donated_names_option, row.donated_nums_option))
        for first, second in pairs:
            if option in (first, second):
                return second if option == first else first
        return None

    def only(self, option: str, indices: Iterable[int]) -> str | None:
        """The text that lists these parameters in one option; None if they cannot be listed there."""
        is_names = option in self.call.row.names_options
        by_name = {index: name for name, index in self.forms.named.items()}
        by_number = {index: number for number, index in enumerate(self.forms.positional)}
        items = [by_name.get(index) if is_names else by_number.get(index) for index in indices]
        fitting = [item for item in items if item is not None]
        like = self.written.values.get(option)
        return render_list(option, fitting, like) if len(fitting) == len(items) else None


def listings(call: JitCall, written: WrittenLists, signatures: Iterable[Signature]) -> Iterator[Listing]:
    """What the lists of a jit call mean for each signature of the function."""
    context = written.context if call.function is not None else call.context
    for signature in signatures:
        arguments = decorated_arguments(call.context, call.expression, signature)
        yield Listing(call, written, signature, arguments, context, _function_name(signature, call.function))


def _function_name(signature: Signature, function: FuncDef | None) -> str | None:
    if function is not None:
        return function.name
    name = signature.name if isinstance(signature, CallableType) else None
    return name.partition(" of ")[0] if name and not name.startswith("<") else None
