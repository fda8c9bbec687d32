"""Why a function was traced: what its calls were, how they differ, and how that is said."""
