"""What a recorded run says: its data, the file that holds it, and the reports on it.

The recorder, in the runtime, writes such files; the command reads them. This package needs nothing but Python's
standard library, so that neither has to import the other.

    model       a run, and what JAX prepared in it
    journal     the file: one line of JSON for each thing that happened, so that a killed process loses nothing
    ranking     by cost: functions that were compiled again, lines that ran operations outside of jit
    text        the report for a terminal
    merging     several processes of one program as one run
    comparing   what got worse since another run
    page        the report as one HTML file
"""
