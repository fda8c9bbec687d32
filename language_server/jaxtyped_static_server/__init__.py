"""A language server: what `jaxtyped-static check` says, in an editor, as you type.

features     what an editor asks for, and where it is answered; commands: those of lenses and actions
server       the state of one editor: its settings and its projects
projects     the open files of a project, and what is published of it
workers      the process that checks a project, as the server sees it
worker       that process: it answers with `telling` and `asking`
session      the state of the project in it: checked from the beginning, or followed
diagnostics  findings → diagnostics; actions, silencing, edits: what can be done about them; places: columns
marking      moves the list of static parameters of one function into its annotations
census       what the last census says: hover, hints, lenses (with costs: the last recorded run)
settings     what users can set
"""
