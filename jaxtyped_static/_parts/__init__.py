"""Takes objects of any kind apart, down to what only C code sees."""
