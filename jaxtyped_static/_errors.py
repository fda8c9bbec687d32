"""The package's errors."""

from __future__ import annotations

from typing import Any, Final

__all__ = [
    "JaxtypedStaticError",
    "JitArgumentsError",
    "MarkerError",
    "StaticContractError",
    "TooManyTracesError",
    "UnexpectedCompilationError",
]


class JaxtypedStaticError(Exception):
    """Base of all errors of this package."""


class MarkerError(JaxtypedStaticError, TypeError):
    """A marker cannot be read or has no effect. Ignoring it would silently make the parameter or field dynamic.

    Attributes:
        code: the rule's code, as the checker prints it (`"static-marker"`).
        function: the function's name and place (`"step (train.py:12)"`); for a field, the name of its class.
        parameter: the parameter's name, or None if the error is not about one parameter.
        field: the field's name, or None if the error is not about a field.
    """

    def __init__(
        self, problem: str, *, code: str, function: str, parameter: str | None = None, field: str | None = None
    ) -> None:
        where = function if field is None else f"{function}.{field}"
        where = where if parameter is None else f"{where}, parameter `{parameter}`"
        super().__init__(f"{where}: {problem}  [{code}]")
        self.problem = problem
        self.code = code
        self.function = function
        self.parameter = parameter
        self.field = field

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), _attributes(self, "problem", "code", "function", "parameter", "field"))


class JitArgumentsError(MarkerError, ValueError):
    """The lists given to `jit` contradict the annotations or each other. A `ValueError` too, as in `jax.jit`."""


class UnexpectedCompilationError(JaxtypedStaticError):
    """JAX was about to compile where everything should be compiled already. The message gives the reasons.

    Attributes:
        function: the function's name.
        place: the line that asked for it.
        reasons: why no earlier program would do; empty if none was compiled since the first block.
    """

    def __init__(self, *, function: str, place: str, reasons: tuple[str, ...]) -> None:
        why = "".join(f"\n  {reason}" for reason in reasons) or "\n  no program of it is known"
        super().__init__(f"{function} would be compiled at {place or 'an unknown line'}, where nothing should be{why}")
        self.function = function
        self.place = place
        self.reasons = reasons

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), _attributes(self, "function", "place", "reasons"))


class TooManyTracesError(JaxtypedStaticError, AssertionError):
    """A compiled function was traced more often than a test allows. The message gives the reasons.

    Attributes:
        function: the function's name and place (`"step (train.py:12)"`).
        count: how often it was traced.
        limit: how many traces are allowed.
        explanation: the reasons for the surplus traces, argument by argument.
    """

    def __init__(self, *, function: str, count: int, limit: int, explanation: str) -> None:
        allowed = f"at most {limit}" if limit else "none"
        super().__init__(f"{function}: {count} trace{'' if count == 1 else 's'}, {allowed} allowed\n{explanation}")
        self.function = function
        self.count = count
        self.limit = limit
        self.explanation = explanation

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), _attributes(self, "function", "count", "limit", "explanation"))


class StaticContractError(JaxtypedStaticError, TypeError):
    """A value that JAX could not safely use as part of a cache key.

    Attributes:
        code: the rule's code, as the checker prints it (`"static-mutable"`).
        path: the path to the offender (`"Solver.limiters[0]"`); empty if it is the value itself.
        reason: what is wrong with it.
        advice: what to do about it.
        function: the compiled function that was called with it; None if no call was involved.
        parameter: the parameter that it was passed to, or is the default of; None for what the function captures.
    """

    def __init__(
        self,
        *,
        code: str,
        path: str,
        reason: str,
        advice: str,
        function: str | None = None,
        parameter: str | None = None,
    ) -> None:
        call = "" if function is None else f"{function}(): "
        call = call if parameter is None else f'{call}argument "{parameter}": '
        where = f"{path}: " if path else ""
        super().__init__(f"{call}{where}{reason}; {advice}  [{code}]")
        self.code = code
        self.path = path
        self.reason = reason
        self.advice = advice
        self.function = function
        self.parameter = parameter

    def in_call(self, function: str, parameter: str | None) -> StaticContractError:
        """Returns the same error, about an argument of a call, or about what the called function captures."""
        return type(self)(**{**_attributes(self, *_OF_CONTRACT), "function": function, "parameter": parameter})

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), _attributes(self, *_OF_CONTRACT))


# Tracebacks show the public module, from which users import them.
for _error in (JaxtypedStaticError, MarkerError, JitArgumentsError, StaticContractError, TooManyTracesError):
    _error.__module__ = "jaxtyped_static"

_OF_CONTRACT: Final = ("code", "path", "reason", "advice", "function", "parameter")


def _attributes(error: Exception, *names: str) -> dict[str, Any]:
    return {name: getattr(error, name) for name in names}


def _rebuild(cls: type[Exception], attributes: dict[str, Any]) -> Exception:
    """Rebuilds an error from its attributes; pickles refer to this function by name."""
    return cls(**attributes)
