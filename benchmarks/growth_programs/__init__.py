"""Families of programs of growing size, one for each construct that the plugin analyses."""

from benchmarks.growth_programs import blocks, bodies, calls, classes, cycles, functions, jit_lists, nested_types, wide
from benchmarks.growth_programs.family import DEEP, DOUBLING, FAMILIES, HEAD, Source

MODULES = (blocks, bodies, calls, classes, cycles, functions, jit_lists, nested_types, wide)  # which fill the tables

__all__ = ["DEEP", "DOUBLING", "FAMILIES", "HEAD", "Source"]
