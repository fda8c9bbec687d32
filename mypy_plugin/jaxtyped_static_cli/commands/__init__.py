"""The subcommands. Each module has `HELP`, `DESCRIPTION`, `EXAMPLES`, `add_arguments` and `run`."""
