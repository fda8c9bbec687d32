"""What jit compiles, and which of its parameters are static.

sites          jit calls, with their static lists
site_names     the name of a decorator that `jit(**options)` returns, which says where its site is
signatures     the parameters of compiled functions
listing        which parameter each item of a list means
written_lists  where a list is written, and its corrected text
application    all of this for one application of jit, as rules see it
"""
