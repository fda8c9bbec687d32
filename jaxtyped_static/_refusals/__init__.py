"""Says why a value breaks the contract, and where in it."""
