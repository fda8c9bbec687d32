"""Private mypy API that the command needs. This package is the place to look at when mypy changes.

options      mypy's options: of an interpreter, of a configuration file, for single modules
file_system  files with other contents, and with exact times of change
building     runs mypy on modules
trees        what mypy knows of a program afterwards
parsing      parses a file without checking it
caches       copies entries of mypy's cache
"""
