"""What a static value is: verified against the contract, and keyed exactly."""
