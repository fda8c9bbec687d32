"""What the checker knows by name, as tables without any logic. What is known of other libraries is in `libraries`.

full_names                              names that are needed whether or not a program imports jax
type_rows: python_types, jax_types      a row for each type
function_rows: python_functions,        a row for each function
               jax_functions
members                                 attributes and methods that are known by name alone
naming                                  what names and numbers mean by convention
"""
