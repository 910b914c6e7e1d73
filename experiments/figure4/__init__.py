"""Figure 4 of the paper: the CO2 record, fitted and continued by the likelihood and by cross-validation."""
