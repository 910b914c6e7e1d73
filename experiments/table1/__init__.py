"""Table 1 of the paper: estimates and test errors over Monte Carlo trials of three kernels."""
