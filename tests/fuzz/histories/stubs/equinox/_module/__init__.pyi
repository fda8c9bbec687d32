from equinox._module._field import field as field
from equinox._module._module import Module as Module
