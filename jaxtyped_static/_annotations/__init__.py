"""Which parameters and fields the annotations mark: read from objects or from text, through aliases and wrappers."""
