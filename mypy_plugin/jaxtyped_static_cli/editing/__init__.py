"""Edits source files with LibCST, which keeps formatting and comments.

documents      a parsed file, and its nodes at the places that findings name
names          what the names of a file stand for
edits          what to change in a document; the text with the changes
imports        how a file spells a function of a library, and the import that it lacks
added_imports  adds that import, in its `import_order`
keywords       the keyword arguments of calls and decorators
jit_lists      the lists of parameters in a jit call
parameters     parameters and fields, and their annotations
permission     which files may be changed
writing        writes files that did not change meanwhile, or shows the difference
"""
