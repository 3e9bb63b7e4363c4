"""Other people's records as runs: one module a format, duck-typed, standard library only."""
