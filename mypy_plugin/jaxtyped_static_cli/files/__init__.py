"""Files on the disk: which are checked, and how they are read and written.

python_files  the files to check
exclusion     those that the setting `exclude` leaves out
limits        of the time that what a checkout decides may take
ordinary      reads what may be no file
parsing       parses it with Python's own parser
sources       what the text of a source file says about a line
replacing     writes a file whole or not at all
"""
