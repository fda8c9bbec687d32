"""Records what JAX prepares while a program runs: each trace, lowering and compilation, for whom, and why."""
