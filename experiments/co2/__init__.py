"""The CO2 record of Mauna Loa: the paper's setting, and everything trained."""
