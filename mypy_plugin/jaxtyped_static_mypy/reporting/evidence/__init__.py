"""Evidence: what the program shows of a fault, and the lines that show it.

needed      which evidence a fault needs to be reported where nobody signed the contract
reads       which attributes the compiled code reads
changes     assignments to the objects of a class
kept        changes of the object whose method is compiled
comparing   what `==` leaves out, and traced code reads
containers  changes in place of a list, dict or set
passing     what the calls of a function pass to a parameter
making      where new objects are made again and again
repetition  why code runs again and again
wording     how lines are worded
"""
