"""Figure 3 of the paper: how ADMM converges, one trial per kernel."""
