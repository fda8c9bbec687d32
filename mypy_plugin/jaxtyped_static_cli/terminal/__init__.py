"""What the command says to people.

problems  what keeps it from doing its work
saying    text in visible characters
consoles  consoles that show nothing else
progress  what a long run is doing
words     counts
"""
