"""What the functions of a program do with the function or class that they are given, read from their source.

- `steps`: the form of these facts
- `definitions`: the functions that statements define
- `reading`: the functions and classes of a module
- `helper_functions`: what a function returns
- `expressions`: the value of an expression in one
- `tables`: dicts that it builds and hands on, and what its statements do to them (`table_changes`)
- `forwarding`: whether a nested function passes its calls on, and which arguments if not all
- `signature_changes`: whether it sets the signature that JAX sees
- `scope`: what names stand for
- `factories`: functions that return a new callable with each call
- `array_uses`: parameters that a function uses as arrays
- `loop_bodies`: parameters that it hands to JAX's control flow
- `drawing`: what draws the random numbers that a function returns
- `asking`: functions that tell whether they are given a tracer
- `storing`: what a function stores in objects that outlive the call
- `keeping`: keeps these facts with the module, and finds them again
- `expanding`: what a helper does in the end, through the helpers that it calls
"""
