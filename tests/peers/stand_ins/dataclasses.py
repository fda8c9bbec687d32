"""In place of `dataclasses.dataclass`."""

from tests.peers.stand_ins import dynamic as dynamic
from tests.peers.stand_ins import static as static
