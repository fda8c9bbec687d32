"""mypy's cache in a project, whose content decides what is found.

folder   makes the folder, and lends mypy the markers from it
foreign  refuses a cache that came with a checkout
sealing  one run uses it at a time, and takes it only as the last run left it
shared   what mypy knows of installed packages, for the user's other projects
"""
