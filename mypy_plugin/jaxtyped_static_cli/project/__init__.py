"""A project, and the Python that it uses.

roots         where a project begins, and which configuration file counts
interpreter   which Python the project uses
environments  an environment's packages, without running it
requirements  which release of JAX a project asks for
pythons       which Python a project asks for
asking_files  the files that say so
published     for whom they say so: users who install the project by its name get what its metadata allows
packaging     which packages and modules it installs
bounds        what versions they allow
versions      of this distribution and of others
"""
