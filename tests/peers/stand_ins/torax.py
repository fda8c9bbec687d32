"""In place of `torax._src.static_dataclass`, whose classes have both a decorator and a base."""

from tests.peers.stand_ins import static

decorator = static


class StaticDataclass:
    """The decorator does all of it."""
