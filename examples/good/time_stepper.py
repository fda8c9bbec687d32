"""The integrator with a frozen configuration: a new step size is a new value, and compiles a new step."""

from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp

from jaxtyped_static import Static, jit


@dataclass(frozen=True)
class Solver:
    dt: float
    scheme: str = "euler"


@jit
def step(y: jax.Array, solver: Static[Solver]) -> jax.Array:
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
        solver = replace(solver, dt=solver.dt / 2)


if __name__ == "__main__":
    main()
