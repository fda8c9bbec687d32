"""In which order a program changes objects and runs what JAX compiled for them.

- `steps`: what a function does, step by step
- `reading`: the steps of a module, by its syntax
- `attributes`: tests of whether an attribute has a value yet
- `names`: which functions a program means by a name
- `replay`: one run through the steps, as far as they show what attributes hold
- `asking`: what it is asked about an object
- `staleness`: whether any run finds another value than the one that JAX compiled in
- `storing`: what statements store in variables
- `modules`: what a name stands for in the modules of a program
- `variables`: one run through the steps, as far as they show what a variable of a module holds
- `rebinding`: which variables any run changes between its calls of what is compiled

For objects, everything goes by names: a call may mean each function of its name. So more may run than does, and
earlier. That leaves a finding as it is; only where even this shows nothing stale, the finding is potential.
"""
