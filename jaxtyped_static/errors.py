"""What is raised at decoration when a marker or a list of parameters cannot be honoured."""

from __future__ import annotations

__all__ = ["JitArgumentsError", "MarkerError"]


class MarkerError(TypeError):
    """A marker that cannot be read or honoured; the alternative would be a parameter that is silently dynamic.

    Attributes:
        code: the rule's code, as the checker prints it (`"static-marker"`).
        function: the function's name and place (`"step (train.py:12)"`).
        parameter: the parameter's name, or None when the fault is not about one parameter.
    """

    def __init__(self, problem: str, *, code: str, function: str, parameter: str | None = None) -> None:
        where = function if parameter is None else f"{function}, parameter `{parameter}`"
        super().__init__(f"{where}: {problem}  [{code}]")
        self.problem = problem
        self.code = code
        self.function = function
        self.parameter = parameter

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.problem, self.code, self.function, self.parameter)


class JitArgumentsError(MarkerError, ValueError):
    """The lists given to `jit` contradict the annotations or each other; a `ValueError` too, as in `jax.jit`."""


def _rebuild(cls: type[MarkerError], problem: str, code: str, function: str, parameter: str | None) -> MarkerError:
    return cls(problem, code=code, function=function, parameter=parameter)
