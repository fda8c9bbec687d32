"""What jit compiles, and which of its parameters are static.

sites          jit calls, with their static lists
layers         what decorators do with a function, through the program's own helpers
underneath     the function that is compiled, below decorators that pass its calls on
passing_types  decorators that pass calls on, by their type
signatures     the parameters of compiled functions
listing        which parameter each item of a list means
written_lists  where a list is written, and its corrected text
application    all of this for one application of jit, as rules see it
"""
