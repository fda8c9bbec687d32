"""Which parameters a function needs concrete values of, by its syntax: it raises for a tracer, whoever calls it.

Only what each call gets to counts, for other modules see no more of the function than this.

- `reading`: what is kept of a function
- `statements`: the walk through its body
- `conditions`: what a condition tells of a parameter that is a tracer
- `expressions`: what is computed from which parameters
- `calls`: which functions ask for values, and what calls return
- `recording`: what the walk knows, and what it has found
"""
