from equinox._module import Module as Module
from equinox._module import field as field
