"""What hides a project from the checker, and what to do first: the answers of `doctor`.

examination  checks a project, and looks at what the checker could read
hidden       packages without types, and decorators that are not annotated
diagnosis    what is known afterwards, and the advice
"""
