"""Figure 1 of the paper: which points the likelihood and two-fold cross-validation train on."""
