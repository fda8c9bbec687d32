"""Refine the step of a time integrator: the answer should approach exp(-1), and moves away from it.

The solver configuration is a compile-time constant, but it can change: the compiled step keeps the first step size.
"""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(eq=False)  # with eq, JAX refuses it: "Non-hashable static arguments are not supported"
class Solver:
    dt: float
    scheme: str = "euler"


@partial(jax.jit, static_argnames="solver")
def step(y: jax.Array, solver: Solver) -> jax.Array:  # E: [static-mutable]
    slope = -y
    if solver.scheme == "heun":
        slope = (slope - (y + solver.dt * slope)) / 2
    return y + solver.dt * slope


def integrate(solver: Solver) -> float:
    y = jnp.ones(())
    for _ in range(round(1 / solver.dt)):
        y = step(y, solver)
    return float(y)


def main() -> None:
    solver = Solver(dt=0.1)
    for _ in range(3):
        print(f"dt = {solver.dt:<5}  y(1) = {integrate(solver):.4f}   (exact 0.3679)")
        solver.dt /= 2


if __name__ == "__main__":
    main()
