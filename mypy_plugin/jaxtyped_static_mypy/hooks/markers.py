"""Handles markers in annotations: leaves their types to mypy, and checks where they stand."""

from collections.abc import Callable

from mypy.plugin import AnalyzeTypeContext
from mypy.types import Type

from ..compat import mypy_api
from ..markers.annotations import AnnotationIndex
from ..rules.static_marker import check_marker
from . import failures


class MarkerAnalysis:
    """Lets mypy analyse `Static[T]` as the alias it is, and checks the result.

    `analyze_type` (mypy 2.4.1) asks for a hook for the same node again, without end: that time it gets none.
    """

    def __init__(self, *, strict: bool) -> None:
        self._strict = strict
        self._index: AnnotationIndex | None = None
        self._is_analysing = False
        self._check = failures.guard_marker(self._check_marker)

    def hook(self) -> Callable[[AnalyzeTypeContext], Type] | None:
        if self._is_analysing:
            self._is_analysing = False
            return None
        return self._analyze

    def _analyze(self, ctx: AnalyzeTypeContext) -> Type:
        self._is_analysing = True
        try:
            typ = ctx.api.analyze_type(ctx.type)
        finally:
            self._is_analysing = False
        self._check(ctx, typ)
        return typ

    def _check_marker(self, ctx: AnalyzeTypeContext, typ: Type) -> None:
        check_marker(ctx, typ, self._index_of(ctx))

    def _index_of(self, ctx: AnalyzeTypeContext) -> AnnotationIndex:
        """The index of the file being analysed. mypy analyses files one by one, so only the last index is kept."""
        file = mypy_api.file_being_analyzed(ctx)
        if self._index is None or self._index.file is not file:
            self._index = AnnotationIndex(file, strict=self._strict)
        return self._index
