"""Figure 2 of the paper: how the time of an iteration grows with the rows."""
