"""A project, and the Python that it uses.

roots         where a project begins, and which configuration file counts
interpreter   which Python the project uses
environments  an environment's packages, without running it
versions      of this distribution and of others
"""
