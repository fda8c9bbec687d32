"""What keeps a command from doing its work: one line for the user, and exit code 2."""


class Problem(Exception):
    """Its text is one line that says what is wrong and what to do."""
